#pragma once

#include <cstdint>
#include <vector>

namespace pimsweep::sweep {

/// A set of numbers below a fixed size, one bit each.
class BitSet {
 public:
  explicit BitSet(std::uint64_t size) : words_((size + 63) / 64, 0) {}
  bool contains(std::uint64_t number) const { return (words_[number / 64] >> number % 64 & 1U) != 0; }
  void insert(std::uint64_t number) { words_[number / 64] |= std::uint64_t{1} << number % 64; }
  const std::vector<std::uint64_t>& words() const { return words_; }

 private:
  std::vector<std::uint64_t> words_;
};

/// A BitSet with access by rank: a count for each block of 512 bits leads to the right block, and the blocks of some
/// members bound the search for it. Takes slightly more than 17/16 bits per number, for up to 2^32 numbers.
class RankedBitSet {
 public:
  explicit RankedBitSet(BitSet bits);
  std::uint64_t size() const { return size_; }
  bool contains(std::uint64_t number) const { return bits_.contains(number); }
  /// The member that exceeds exactly `rank` others. Needs rank < size(); does not allocate.
  std::uint64_t member(std::uint64_t rank) const;

 private:
  BitSet bits_;
  /// Members before each block.
  std::vector<std::uint32_t> before_;
  /// The block of every 1024th member, and the last block.
  std::vector<std::uint32_t> landmarks_;
  std::uint64_t size_ = 0;
};

}  // namespace pimsweep::sweep
