#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace pimsweep {

/// Prints like fmt::print, but an error is kept in the state of the stream (std::ferror) instead of being thrown: a run
/// must not stop because the disk of its log is full or the reader of a pipe has exited.
template <typename... Args>
void print_to(std::FILE* stream, fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace pimsweep
