#pragma once

#include <string>

namespace pimsweep {

/// The bytes of a file. Throws InputError (no position) with the system's reason if it cannot be read.
std::string read_text_file(const std::string& path);

}  // namespace pimsweep
