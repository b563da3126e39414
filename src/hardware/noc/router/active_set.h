#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hardware/noc/router/bits.h"

namespace pimsweep::hardware::noc::router {

/// Set of active items. Listing the members skips 64 inactive items per instruction or so.
class ActiveSet {
 public:
  explicit ActiveSet(std::size_t members) : words_((members + 511) / 512 * block), list_(members + 1) {}

  void add(std::uint32_t member) { words_[member / 64] |= bit<std::uint64_t>(member % 64); }
  void remove(std::uint32_t member) { words_[member / 64] &= ~bit<std::uint64_t>(member % 64); }

  /// The members in order; valid until the next call.
  std::span<const std::uint32_t> list() {
    std::uint32_t* end = list_.data();
    for (std::size_t first = 0; first < words_.size(); first += block) {
      std::uint64_t any = 0;
      for (std::size_t i = first; i < first + block; ++i) any |= words_[i];
      if (any == 0) continue;
      for (std::size_t i = first; i < first + block; ++i) {
        for (std::uint64_t left = words_[i]; left != 0; left &= left - 1) {
          *end++ = static_cast<std::uint32_t>(64 * i) + lowest(left);
        }
      }
    }
    return {list_.data(), end};
  }

 private:
  static constexpr std::size_t block = 8;

  std::vector<std::uint64_t> words_;
  std::vector<std::uint32_t> list_;
};

}  // namespace pimsweep::hardware::noc::router
