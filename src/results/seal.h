#pragma once

#include <string>

namespace pimsweep::results {

/// HDF5 1.10 may crash on a damaged file, so a results file carries a checksum of all its bytes behind the end of its
/// HDF5 data: 16 bytes "pimsweep seal 1\n", then the 128-bit XXH3 of everything before. HDF5 does not look there; a
/// program that opens the file for writing cuts it off, and then the file stands without seal.

/// Appends the seal. Throws std::runtime_error if the file cannot be read or written.
void seal_file(const std::string& path);

/// True if the file has a seal and it does not match. A file without seal, or none at all, is not judged.
bool is_seal_broken(const std::string& path);

}  // namespace pimsweep::results
