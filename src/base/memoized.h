#pragma once

#include <utility>

namespace pimsweep {

/// The value of a key in a map, computed by `make` at the first call. If `make` throws, the map is unchanged, and the
/// next call fails in the same way.
template <typename Map, typename Make>
typename Map::mapped_type& memoized(Map& map, typename Map::key_type key, const Make& make) {
  if (const auto found = map.find(key); found != map.end()) return found->second;
  return map.emplace(std::move(key), make()).first->second;
}

}  // namespace pimsweep
