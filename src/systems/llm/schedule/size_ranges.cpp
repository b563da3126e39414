#include "systems/llm/schedule/size_ranges.h"

#include <algorithm>

#include "systems/llm/schedule/assignments.h"
#include "systems/llm/schedule/quantum.h"

namespace pimsweep::systems::llm::schedule {

std::uint32_t SizeRanges::number(const Assignment& ways) {
  return numbers_.try_emplace(ways, static_cast<std::uint32_t>(numbers_.size())).first->second;
}

bool SizeRanges::exclude(const Assignment& first, const Assignment& second, std::size_t rows, double target) {
  Pair& pair = pairs_[std::uint64_t{number(first)} << 32U | number(second)];
  if (std::ranges::any_of(pair.excluded, [rows](Range range) { return range.first <= rows && rows < range.last; })) {
    return true;
  }
  const std::size_t sizes = problem_.rows / 2;
  for (;; pair.width /= growth_) {
    // Ranges of a width do not overlap, and parts of a range are ranges.
    const std::size_t begin = (rows - 1) / pair.width * pair.width + 1;
    const Range range{begin, std::min(begin + pair.width, sizes + 1)};
    if (is_excluded(first, second, range, target)) {
      pair.excluded.push_back(range);
      if (pair.width < sizes && pair.width * growth_ < pair.too_wide) pair.width *= growth_;
      return true;
    }
    if (pair.width == 1) return false;
    pair.too_wide = pair.width;
  }
}

bool SizeRanges::is_excluded(const Assignment& first, const Assignment& second, Range range, double target) {
  list_block(problem_, first, {range.first, range.last - 1}, first_block_);
  list_block(problem_, second, {problem_.rows - range.last + 1, problem_.rows - range.first}, second_block_);
  if (first_block_.empty() || second_block_.empty()) return false;
  for (Job* block : {&first_block_, &second_block_}) {
    for (Interval& interval : *block) interval.seconds = on_grid(interval.seconds, quantum_);
  }
  return bound_.fill_to(problem_.conflicts, first_block_, second_block_, problem_.blocks, target);
}

}  // namespace pimsweep::systems::llm::schedule
