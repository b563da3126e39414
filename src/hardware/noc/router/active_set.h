#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hardware/noc/router/bits.h"

namespace pimsweep::hardware::noc::router {

/// Set of the parts that have something to do. Visiting them in order skips all others, at the cost of one word for
/// each 4096 parts.
class ActiveSet {
 public:
  explicit ActiveSet(std::size_t members) : words_((members + 63) / 64), words_in_use_((words_.size() + 63) / 64) {}

  void add(std::uint32_t member) {
    std::uint64_t& word = words_[member / 64];
    if (word == 0) words_in_use_[member / 4096] |= bit<std::uint64_t>(member / 64 % 64);
    word |= bit<std::uint64_t>(member % 64);
  }
  void remove(std::uint32_t member) {
    std::uint64_t& word = words_[member / 64];
    word &= ~bit<std::uint64_t>(member % 64);
    if (word == 0) words_in_use_[member / 4096] &= ~bit<std::uint64_t>(member / 64 % 64);
  }
  /// Calls visit(member), which may add and remove this member but no other.
  template <typename Visit>
  void for_each(Visit visit) {
    for (std::size_t i = 0; i < words_in_use_.size(); ++i) {
      for (std::uint64_t words = words_in_use_[i]; words != 0; words &= words - 1) {
        const std::size_t word = 64 * i + lowest(words);
        for (std::uint64_t left = words_[word]; left != 0; left &= left - 1) {
          visit(static_cast<std::uint32_t>(64 * word + lowest(left)));
        }
      }
    }
  }

 private:
  std::vector<std::uint64_t> words_;
  /// Words that are not empty.
  std::vector<std::uint64_t> words_in_use_;
};

}  // namespace pimsweep::hardware::noc::router
