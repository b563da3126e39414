#pragma once

#include <string>

namespace pimsweep::results {

/// The seal of a results file is a checksum of all its bytes behind the end of the HDF5 data, for HDF5 1.10 may crash
/// on a damaged file: 16 bytes "pimsweep seal 1\n", then the 128-bit XXH3 of everything before. HDF5 ignores it. A
/// program that opens the file for writing removes it, and the file is then read unchecked.

/// Appends the seal. Throws std::runtime_error if the file cannot be read or written.
void seal_file(const std::string& path);

/// Whether the file has a seal that does not match. False for a file without a seal and for a missing file.
bool is_seal_broken(const std::string& path);

}  // namespace pimsweep::results
