#include "systems/llm/schedule/bin_packing.h"

#include <algorithm>
#include <numeric>

namespace pimsweep::systems::llm::schedule {

namespace {

/// Parts into which dual feasible functions divide a bin, at most.
constexpr std::int64_t max_parts = 24;
/// Maximum number of members of a completion for which all subsets are tried.
constexpr std::size_t max_exchanged = 6;

std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

}  // namespace

BinPacker::BinPacker(std::span<const std::int64_t> lengths, std::size_t bins)
    : lengths_(lengths), bins_(std::min(bins, lengths.size())), bin_(lengths.size(), 0), levels_(bins_ + 1) {}

bool BinPacker::spend(std::size_t steps) {
  stopped_ = stopped_ || steps > steps_left_;
  steps_left_ -= std::min(steps, steps_left_);
  return !stopped_;
}

/// True if falling lengths need more than `bins` bins, by a bound for each threshold: each length above half the
/// capacity needs its own bin, a bin with one above the capacity minus the threshold has no space left, and lengths
/// from the threshold to half the capacity go into the remaining space of other bins or into additional bins.
bool BinPacker::fills_halves(std::span<const std::int64_t> lengths, std::size_t bins) {
  sums_.resize(lengths.size() + 1);
  sums_[0] = 0;
  std::partial_sum(lengths.begin(), lengths.end(), sums_.begin() + 1);
  const auto limit = static_cast<std::int64_t>(bins);
  if (sums_.back() > limit * capacity_) return true;
  std::size_t large = 0;
  while (large < lengths.size() && 2 * lengths[large] > capacity_) ++large;
  if (large > bins) return true;
  std::size_t closed = large;
  for (std::size_t j = large; j < lengths.size(); ++j) {
    while (closed > 0 && lengths[closed - 1] <= capacity_ - lengths[j]) --closed;
    const std::int64_t beside = static_cast<std::int64_t>(large - closed) * capacity_ - (sums_[large] - sums_[closed]);
    const std::int64_t over = sums_[j + 1] - sums_[large] - beside;
    if (over > 0 && static_cast<std::int64_t>(large) + ceil_div(over, capacity_) > limit) return true;
  }
  return false;
}

/// The same by the number of lengths: beside one above a half there is room for so many of at least the threshold.
bool BinPacker::fills_by_number(std::int64_t threshold) const {
  std::int64_t large = 0;
  std::int64_t over = 0;
  for (const std::int64_t length : lengths_) {
    if (length < threshold) break;
    if (2 * length > capacity_) {
      ++large;
      over -= (capacity_ - length) / threshold;
    } else {
      ++over;
    }
  }
  return over > 0 && large + ceil_div(over, capacity_ / threshold) > static_cast<std::int64_t>(bins_);
}

/// With k + 1 times a length in whole capacities t, or more: t / k of a bin; if exactly t, its own share.
bool BinPacker::fills_by_function() const {
  for (std::int64_t k = 2; k < max_parts; ++k) {
    std::int64_t above = 0;
    std::int64_t exact = 0;
    for (const std::int64_t length : lengths_) {
      const std::int64_t parts = (k + 1) * length / capacity_;
      if (parts == 0) break;
      (parts * capacity_ == (k + 1) * length ? exact : above) += parts;
    }
    if ((k + 1) * above + k * exact > k * (k + 1) * static_cast<std::int64_t>(bins_)) return true;
  }
  return false;
}

bool BinPacker::is_refuted(std::int64_t capacity) {
  capacity_ = capacity;
  if (lengths_.empty()) return false;
  if (lengths_.front() > capacity || fills_halves(lengths_, bins_) || fills_by_function()) return true;
  std::int64_t last = 0;
  for (const std::int64_t length : lengths_) {
    if (2 * length <= capacity && length != last && fills_by_number(length)) return true;
    last = length;
  }
  return false;
}

BinPacker::Outcome BinPacker::pack(std::int64_t capacity, std::size_t& steps_left) {
  capacity_ = capacity;
  if (lengths_.empty()) return Outcome::fits;
  if (lengths_.front() > capacity) return Outcome::does_not_fit;
  steps_left_ = steps_left;
  stopped_ = false;
  levels_[0].left.resize(lengths_.size());
  std::iota(levels_[0].left.begin(), levels_[0].left.end(), std::uint32_t{0});
  const Outcome outcome = descend(0);
  steps_left = steps_left_;
  return outcome;
}

BinPacker::Outcome BinPacker::descend(std::size_t bin) {
  Level& level = levels_[bin];
  if (level.left.empty()) return Outcome::fits;
  if (bin == bins_) return Outcome::does_not_fit;
  if (!spend(level.left.size())) return Outcome::unknown;
  rest_.clear();
  for (const std::uint32_t i : level.left) rest_.push_back(lengths_[i]);
  if (fills_halves(rest_, bins_ - bin)) return Outcome::does_not_fit;
  // Lengths that the other bins cannot hold must be in this one.
  const std::int64_t others = static_cast<std::int64_t>(bins_ - bin - 1) * capacity_;
  if (!list_completions(level, sums_[rest_.size()] - others - rest_.front())) return Outcome::unknown;
  bool unknown = false;
  for (std::size_t c = 0; c < level.count; ++c) {
    const Completion& completion = level.completions[c];
    std::vector<std::uint32_t>& left = levels_[bin + 1].left;
    left.clear();
    auto member = completion.members.begin();
    for (std::size_t k = 1; k < level.left.size(); ++k) {
      const bool is_member = member != completion.members.end() && *member == k;
      if (is_member) ++member;
      if (!is_member) left.push_back(level.left[k]);
    }
    const Outcome outcome = descend(bin + 1);
    if (outcome == Outcome::fits) {
      bin_[level.left[0]] = static_cast<std::uint32_t>(bin);
      for (const std::uint32_t k : completion.members) bin_[level.left[k]] = static_cast<std::uint32_t>(bin);
      return outcome;
    }
    unknown = unknown || outcome == Outcome::unknown;
    if (stopped_) break;
  }
  return unknown ? Outcome::unknown : Outcome::does_not_fit;
}

/// Sets of lengths beside the longest one, of a sum of at least `least`, that no other dominates; the longest sum
/// first. False if there are no steps left.
bool BinPacker::list_completions(Level& level, std::int64_t least) {
  room_ = capacity_ - lengths_[level.left[0]];
  level.count = 0;
  members_.clear();
  choose(level, 1, least);
  const auto end = level.completions.begin() + static_cast<std::ptrdiff_t>(level.count);
  std::stable_sort(level.completions.begin(), end,
                   [](const Completion& a, const Completion& b) { return a.sum > b.sum; });
  return !stopped_;
}

/// Goes through the lengths from number `next` of the level on: with each that has room, then without any equal one.
void BinPacker::choose(Level& level, std::size_t next, std::int64_t least) {
  const std::vector<std::uint32_t>& left = level.left;
  const auto is_longer = [&](std::int64_t room, std::uint32_t i) { return lengths_[i] > room; };
  const auto begin = std::lower_bound(left.begin() + static_cast<std::ptrdiff_t>(next), left.end(), room_,
                                      [&](std::uint32_t i, std::int64_t room) { return is_longer(room, i); });
  next = static_cast<std::size_t>(begin - left.begin());
  if (!spend(1 + members_.size())) return;
  if (next == left.size()) {
    const std::int64_t sum = capacity_ - lengths_[left[0]] - room_;
    if (sum < least || !spend(left.size()) || is_dominated(level)) return;
    if (level.count == level.completions.size()) level.completions.emplace_back();
    level.completions[level.count].sum = sum;
    level.completions[level.count].members = members_;
    ++level.count;
    return;
  }
  const std::int64_t length = lengths_[left[next]];
  members_.push_back(static_cast<std::uint32_t>(next));
  room_ -= length;
  choose(level, next + 1, least);
  room_ += length;
  members_.pop_back();
  while (next < left.size() && lengths_[left[next]] == length) ++next;
  choose(level, next, least);
}

/// True if some members of the bin, or none, can be exchanged for one outside length that is at least as long as they
/// are together: any packing remains one, and this bin gets fuller, or equally full with fewer lengths.
bool BinPacker::is_dominated(const Level& level) const {
  const std::size_t subsets = std::size_t{1} << std::min(members_.size(), max_exchanged);
  std::int64_t sums[std::size_t{1} << max_exchanged] = {0};
  for (std::size_t s = 1; s < subsets; ++s) {
    const std::size_t lowest = static_cast<std::size_t>(__builtin_ctzll(s));
    sums[s] = sums[s & (s - 1)] + lengths_[level.left[members_[lowest]]];
  }
  auto member = members_.begin();
  for (std::size_t k = 1; k < level.left.size(); ++k) {
    if (member != members_.end() && *member == k) {
      ++member;
      continue;
    }
    const std::int64_t length = lengths_[level.left[k]];
    for (std::size_t s = 0; s < subsets; ++s) {
      const bool is_better = sums[s] < length || (sums[s] == length && (s & (s - 1)) != 0);
      if (is_better && length - sums[s] <= room_) return true;
    }
  }
  return false;
}

}  // namespace pimsweep::systems::llm::schedule
