#pragma once

#include <string>

namespace pimsweep::commands {

/// Writes a text to a file, or to the standard output if the path is "-". Throws InputError if it cannot be written.
void write_output(const std::string& path, const std::string& text);

}  // namespace pimsweep::commands
