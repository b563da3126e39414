#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pimsweep {

/// 128-bit content hash (XXH3).
struct Hash128 {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  friend auto operator<=>(const Hash128&, const Hash128&) = default;
  /// 32 lower-case hexadecimal digits.
  std::string text() const;
};

Hash128 hash128(std::string_view bytes);

/// Checksum for corruption detection: the lower half of the 64-bit XXH3.
std::uint32_t checksum32(std::string_view bytes);

}  // namespace pimsweep

template <>
struct std::hash<pimsweep::Hash128> {
  std::size_t operator()(const pimsweep::Hash128& key) const noexcept { return key.low; }
};
