#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace pimsweep {

/// "1 point", "2 points"; pass `plural` for irregular nouns ("2 studies").
inline std::string count_of(std::uint64_t count, std::string_view noun, std::string_view plural = {}) {
  if (count != 1 && !plural.empty()) return fmt::format("{} {}", count, plural);
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace pimsweep
