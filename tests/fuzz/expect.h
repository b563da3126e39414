#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "base/error.h"

namespace pimsweep::fuzz {

/// Calls `read`; what is wrong with its input it may say.
template <typename Read>
void expect_input_error(const Read& read) {
  try {
    read();
  } catch (const InputError&) {
  } catch (const PointError&) {
  }
}

/// Ends the process unless `holds`.
inline void require(bool holds, std::string_view what) {
  if (holds) return;
  std::fprintf(stderr, "not true: %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

/// The parts of an input before and after the first line "---"; the second is empty if there is none.
inline std::pair<std::string_view, std::string_view> split(std::string_view input) {
  constexpr std::string_view mark = "\n---\n";
  const std::size_t at = input.find(mark);
  if (at == std::string_view::npos) return {input, {}};
  return {input.substr(0, at + 1), input.substr(at + mark.size())};
}

}  // namespace pimsweep::fuzz
