#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace pimsweep {

/// Prints as fmt::print does, but an error stays in the state of the stream (std::ferror) and is not thrown: a run does
/// not end because its log is on a full disk or its reader is gone.
template <typename... Args>
void print_to(std::FILE* stream, fmt::format_string<Args...> format, Args&&... args) {
  const std::string text = fmt::format(format, std::forward<Args>(args)...);
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace pimsweep
