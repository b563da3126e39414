#pragma once

#include <string>
#include <string_view>

namespace pimsweep::commands {

/// The path that stands for the standard output. What a command otherwise prints there is left out then.
inline constexpr std::string_view standard_output = "-";

/// Writes a text to a file, or to the standard output. Throws InputError if it cannot be written.
void write_output(const std::string& path, const std::string& text);

}  // namespace pimsweep::commands
