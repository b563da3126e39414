#include "systems/llm/schedule/two_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/error.h"

namespace pimsweep::systems::llm::schedule {

namespace {

constexpr std::size_t max_cells = std::size_t{1} << 26;

}  // namespace

/// A lower bound of the seconds from a corner to the end of both jobs.
double TwoJobSolver::remaining(Corner corner) const {
  const JobSums& first = *first_;
  const JobSums& second = *second_;
  const double bound = remaining_bound(first, corner.first, second, corner.second);
  if (repeated_ == nullptr || corner.first < first.first || corner.first >= first.last ||
      corner.second < second.first || corner.second >= second.last) {
    return bound;
  }
  return std::max(bound, repeated_->remaining((corner.first - first.first) % first.period,
                                              first.begin[first.last] - first.begin[corner.first],
                                              (corner.second - second.first) % second.period,
                                              second.begin[second.last] - second.begin[corner.second]));
}

void TwoJobSolver::reach(Corner corner, Corner from, double seconds, double cutoff) {
  Cell& at = cell(corner);
  if (at.search == search_ && at.seconds <= seconds) return;
  const double bound = seconds + remaining(corner);
  if (bound >= cutoff) return;
  at = {.seconds = seconds, .search = search_, .from = from};
  open_.push_back({.bound = std::floor(bound / grain_), .seconds = seconds, .corner = corner});
  std::ranges::push_heap(open_, is_later);
}

/// Follows the diagonal from a corner, where both jobs run, to the first rectangle, and goes around it on either side:
/// the first job waits for the second, or the second did not start what keeps the first from going on.
void TwoJobSolver::expand(Corner corner, double seconds, double cutoff) {
  const JobSums& first = *first_;
  const JobSums& second = *second_;
  const double x = first.begin[corner.first];
  const double y = second.begin[corner.second];
  std::uint32_t i = corner.first;
  std::uint32_t j = corner.second;
  while (i < first.size() && j < second.size()) {
    const double end_first = first.begin[i + 1] - x;
    const double end_second = second.begin[j + 1] - y;
    if (conflicts_.between(first.job[i].uses, second.job[j].uses)) {
      reach({i, j + 1}, corner, seconds + std::max(first.begin[i] - x, end_second), cutoff);
      reach({i + 1, j}, corner, seconds + std::max(end_first, second.begin[j] - y), cutoff);
      return;
    }
    if (end_first <= end_second) ++i;
    if (end_second <= end_first) ++j;
  }
  const Corner end{static_cast<std::uint32_t>(first.size()), static_cast<std::uint32_t>(second.size())};
  reach(end, corner, seconds + std::max(first.length() - x, second.length() - y), cutoff);
}

/// Order of the heap: the least bound on top; of equal ones, what is nearest to the end.
bool TwoJobSolver::is_later(const Open& a, const Open& b) {
  if (a.bound != b.bound) return a.bound > b.bound;
  return a.corner.first + a.corner.second < b.corner.first + b.corner.second;
}

std::optional<double> TwoJobSolver::solve(std::span<const Interval> first, std::span<const Interval> second,
                                          double cutoff) {
  own_sums_ = {JobSums(first, cliques_), JobSums(second, cliques_)};
  return solve(own_sums_[0], own_sums_[1], cutoff);
}

std::optional<double> TwoJobSolver::solve(const JobSums& first, const JobSums& second, double cutoff,
                                          const PeriodicBound* repeated) {
  const std::size_t cells = (first.size() + 1) * (second.size() + 1);
  if (first.size() > max_cells || second.size() > max_cells || cells > max_cells) {
    throw PointError(fmt::format("two sub-batches of {} and {} intervals; allowed are {} pairs of intervals",
                                 first.size(), second.size(), max_cells));
  }
  first_ = &first;
  second_ = &second;
  repeated_ = repeated;
  const double root = remaining({});
  grain_ = root > 0 ? std::ldexp(root, -34) : 1;
  if (cells_.size() < cells) cells_.resize(cells);
  if (++search_ == 0) {
    std::ranges::fill(cells_, Cell{});
    search_ = 1;
  }
  open_.clear();
  visited_ = 0;
  const Corner end{static_cast<std::uint32_t>(first.size()), static_cast<std::uint32_t>(second.size())};
  reach({}, {}, 0, cutoff);
  while (!open_.empty()) {
    const Open next = open_.front();
    std::ranges::pop_heap(open_, is_later);
    open_.pop_back();
    if (next.seconds > cell(next.corner).seconds) continue;
    ++visited_;
    if (next.corner == end) return next.seconds;
    expand(next.corner, next.seconds, cutoff);
  }
  return std::nullopt;
}

std::array<std::vector<double>, 2> TwoJobSolver::starts() const {
  std::array<std::vector<double>, 2> starts{std::vector<double>(first_->size()), std::vector<double>(second_->size())};
  Corner to{static_cast<std::uint32_t>(first_->size()), static_cast<std::uint32_t>(second_->size())};
  while (to != Corner{}) {
    const Corner from = cell(to).from;
    const double seconds = cell(from).seconds;
    for (std::uint32_t i = from.first; i < to.first; ++i) {
      starts[0][i] = seconds + first_->begin[i] - first_->begin[from.first];
    }
    for (std::uint32_t j = from.second; j < to.second; ++j) {
      starts[1][j] = seconds + second_->begin[j] - second_->begin[from.second];
    }
    to = from;
  }
  return starts;
}

}  // namespace pimsweep::systems::llm::schedule
