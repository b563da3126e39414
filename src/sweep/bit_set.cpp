#include "sweep/bit_set.h"

#include <algorithm>
#include <bit>

namespace pimsweep::sweep {

namespace {

constexpr std::uint64_t block_words = 8;
constexpr std::uint64_t landmark = 1024;

std::uint64_t ones(std::uint64_t word) { return static_cast<std::uint64_t>(std::popcount(word)); }

}  // namespace

RankedBitSet::RankedBitSet(BitSet bits) : bits_(std::move(bits)) {
  const std::vector<std::uint64_t>& words = bits_.words();
  before_.reserve(words.size() / block_words + 1);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i % block_words == 0) before_.push_back(static_cast<std::uint32_t>(size_));
    size_ += ones(words[i]);
    while (landmarks_.size() * landmark < size_) landmarks_.push_back(static_cast<std::uint32_t>(before_.size() - 1));
  }
  landmarks_.push_back(static_cast<std::uint32_t>(before_.size()) - 1);
}

std::uint64_t RankedBitSet::member(std::uint64_t rank) const {
  const auto first = before_.begin() + landmarks_[rank / landmark];
  const auto last = before_.begin() + landmarks_[rank / landmark + 1] + 1;
  const auto next = std::upper_bound(first, last, rank);
  const auto block = static_cast<std::uint64_t>(next - before_.begin()) - 1;
  std::uint64_t left = rank - before_[block];
  const std::uint64_t* word = bits_.words().data() + block * block_words;
  for (std::uint64_t here = ones(*word); left >= here; here = ones(*word)) {
    left -= here;
    ++word;
  }
  std::uint64_t rest = *word;
  for (; left > 0; --left) rest &= rest - 1;
  const auto index = static_cast<std::uint64_t>(word - bits_.words().data());
  return index * 64 + static_cast<std::uint64_t>(std::countr_zero(rest));
}

}  // namespace pimsweep::sweep
