#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

#include "base/key_hash.h"

namespace pimsweep {

/// Values by key, each made when it is first asked for: at least the `capacity` values used last, and at most twice as
/// many. A reference to a value holds until `capacity` others were asked for. Used by one thread at a time.
///
/// There are two generations. What is found in the young one costs a look-up and nothing else. When the young one is
/// full, it becomes the old one, whose values are dropped, and from which a value returns once it is asked for.
template <typename Key, typename Value, typename Hash = KeyHash>
class BoundedCache {
 public:
  explicit BoundedCache(std::size_t capacity) : capacity_(capacity) {}

  /// The value of `key`, which `make()` gives if it is not there. Where make() throws, nothing is kept.
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
