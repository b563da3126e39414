#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "base/key_hash.h"

namespace pimsweep {

/// A cache of values that are computed on first use. It keeps at least the `capacity` most recently used values and at
/// most twice as many. A reference stays valid until `capacity` other values have been requested. Not thread-safe.
///
/// Two generations approximate LRU: a hit in the young generation costs one look-up. When the young generation is full,
/// it replaces the old one, whose values are dropped; a hit in the old generation moves the value back to the young
/// one.
template <typename Key, typename Value, typename Hash = KeyHash>
class BoundedCache {
 public:
  explicit BoundedCache(std::size_t capacity) : capacity_(capacity) {}

  /// The value of `key`, computed by `make()` if it is not cached. Nothing is cached if make() throws.
  template <typename Make>
  Value& get(const Key& key, Make&& make) {
    if (const auto found = young_.find(key); found != young_.end()) return found->second;
    auto entry = old_.extract(key);
    if (young_.size() >= capacity_) {
      std::swap(young_, old_);
      young_.clear();
    }
    if (!entry.empty()) return young_.insert(std::move(entry)).position->second;
    return young_.emplace(key, std::forward<Make>(make)()).first->second;
  }

  void clear() {
    young_.clear();
    old_.clear();
  }

 private:
  std::size_t capacity_;
  std::unordered_map<Key, Value, Hash> young_;
  std::unordered_map<Key, Value, Hash> old_;
};

}  // namespace pimsweep
