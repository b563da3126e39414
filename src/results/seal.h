#pragma once

#include <cstdint>
#include <string>

namespace pimsweep::results {

/// The seal of a results file is a checksum of all its bytes, appended to the HDF5 data because HDF5 1.10 may crash on
/// a damaged file: 16 bytes "pimsweep seal 1\n", then the 128-bit XXH3 of everything before. HDF5 ignores it. A program
/// that opens the file for writing removes it, and the file is then read only where that was allowed.

/// Appends the seal. Throws std::runtime_error if the file cannot be read or written.
void seal_file(const std::string& path);

enum class Seal : std::uint8_t { none, intact, broken };
/// `none` also for a missing file.
Seal inspect_seal(const std::string& path);

/// True if this process reads results files without a seal: `--unsealed`.
void accept_unsealed_files(bool accepted);
bool unsealed_files_accepted();

}  // namespace pimsweep::results
