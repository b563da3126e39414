#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace pimsweep {

/// Prints a message to stderr, each line prefixed with "pimsweep: KIND: ". An output error is kept in the state of
/// stderr, as with print_to().
void print_message(std::string_view kind, std::string_view text);

/// A problem that stops the work or invalidates its result.
template <typename... Args>
void print_error(fmt::format_string<Args...> format, Args&&... args) {
  print_message("error", fmt::format(format, std::forward<Args>(args)...));
}

/// A problem that needs attention, although the work continues.
template <typename... Args>
void print_warning(fmt::format_string<Args...> format, Args&&... args) {
  print_message("warning", fmt::format(format, std::forward<Args>(args)...));
}

/// Helpful information.
template <typename... Args>
void print_note(fmt::format_string<Args...> format, Args&&... args) {
  print_message("note", fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace pimsweep
