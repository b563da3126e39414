#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <tuple>

namespace pimsweep {

/// One hash of several values, for the keys of hash tables.
template <typename... Values>
std::size_t combined_hash(const Values&... values) {
  std::uint64_t hash = 0;
  const auto mix = [&](std::uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32U;
  };
  (mix(std::hash<Values>()(values)), ...);
  return hash;
}

/// Hashes types that std::hash supports, and tuples and arrays of them.
struct KeyHash {
  template <typename Key>
  std::size_t operator()(const Key& key) const {
    if constexpr (requires { std::tuple_size<Key>::value; }) {
      return std::apply([](const auto&... values) { return combined_hash(values...); }, key);
    } else {
      return std::hash<Key>()(key);
    }
  }
};

}  // namespace pimsweep
