#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pimsweep::driver {

/// A set of ranks whose operations take the same few steps for any number of ranks that a launch has: a bit for each
/// rank, and above it one for each word of bits that is not empty.
class RankSet {
 public:
  static constexpr int none = -1;

  explicit RankSet(std::size_t ranks) {
    do {
      ranks = (ranks + word_bits - 1) / word_bits;
      levels_.emplace_back(ranks, 0);
    } while (ranks > 1);
  }

  bool empty() const { return levels_.back().empty() || levels_.back().front() == 0; }

  void insert(int rank) {
    auto at = static_cast<std::size_t>(rank);
    for (std::vector<std::uint64_t>& words : levels_) {
      words[at / word_bits] |= bit(at);
      at /= word_bits;
    }
  }

  void erase(int rank) {
    auto at = static_cast<std::size_t>(rank);
    for (std::vector<std::uint64_t>& words : levels_) {
      words[at / word_bits] &= ~bit(at);
      if (words[at / word_bits] != 0) return;
      at /= word_bits;
    }
  }

  /// The highest rank, or none.
  int last() const {
    if (empty()) return none;
    std::size_t at = 0;
    for (auto words = levels_.rbegin(); words != levels_.rend(); ++words)
      at = at * word_bits + (word_bits - 1 - static_cast<std::size_t>(std::countl_zero((*words)[at])));
    return static_cast<int>(at);
  }

  /// The lowest rank from `rank` on, or none.
  int next(int rank) const {
    auto at = static_cast<std::size_t>(rank);
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      if (at / word_bits >= levels_[level].size()) return none;
      const std::uint64_t rest = levels_[level][at / word_bits] >> (at % word_bits);
      if (rest != 0) return lowest_below(level, at + static_cast<std::size_t>(std::countr_zero(rest)));
      at = at / word_bits + 1;
    }
    return none;
  }

 private:
  static constexpr std::size_t word_bits = 64;
  static std::uint64_t bit(std::size_t at) { return std::uint64_t{1} << (at % word_bits); }

  /// The lowest rank below a bit of a level.
  int lowest_below(std::size_t level, std::size_t at) const {
    while (level > 0) {
      --level;
      at = at * word_bits + static_cast<std::size_t>(std::countr_zero(levels_[level][at]));
    }
    return static_cast<int>(at);
  }

  /// Bits of the ranks, then of the words of the level before; the last level is one word.
  std::vector<std::vector<std::uint64_t>> levels_;
};

}  // namespace pimsweep::driver
