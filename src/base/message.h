#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace pimsweep {

/// Prints a message to stderr, each line of it after "pimsweep: KIND: ". An error of the output stays in the state of
/// stderr, as with print_to().
void print_message(std::string_view kind, std::string_view text);

/// What ends or spoils the work.
template <typename... Args>
void print_error(fmt::format_string<Args...> format, Args&&... args) {
  print_message("error", fmt::format(format, std::forward<Args>(args)...));
}

/// What the user should look at, although the work goes on.
template <typename... Args>
void print_warning(fmt::format_string<Args...> format, Args&&... args) {
  print_message("warning", fmt::format(format, std::forward<Args>(args)...));
}

/// What is good to know.
template <typename... Args>
void print_note(fmt::format_string<Args...> format, Args&&... args) {
  print_message("note", fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace pimsweep
