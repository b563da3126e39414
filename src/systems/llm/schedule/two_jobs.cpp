#include "systems/llm/schedule/two_jobs.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace pimsweep::systems::llm::schedule {

namespace {

constexpr std::uint32_t no_node = std::numeric_limits<std::uint32_t>::max();

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

void TwoJobSolver::reach(Corner corner, std::uint32_t from, double seconds, double cutoff) {
  std::uint32_t at = rows_[corner.first];
  while (at != no_node && nodes_[at].corner.second != corner.second) at = nodes_[at].next;
  if (at != no_node && nodes_[at].seconds <= seconds) return;
  const double bound = seconds + remaining(corner);
  if (bound >= cutoff) return;
  if (at == no_node) {
    at = static_cast<std::uint32_t>(nodes_.size());
    nodes_.push_back({.corner = corner, .seconds = seconds, .from = from, .next = rows_[corner.first]});
    rows_[corner.first] = at;
  } else {
    nodes_[at].seconds = seconds;
    nodes_[at].from = from;
  }
  open_.push_back(
      {.bound = std::floor(bound / grain_), .seconds = seconds, .node = at, .progress = corner.first + corner.second});
  std::ranges::push_heap(open_, is_later);
}

/// Follows the diagonal from a corner, where both jobs run, to the first rectangle, and goes around it on either side:
/// the first job waits for the second, or the second did not start what keeps the first from going on.
void TwoJobSolver::expand(std::uint32_t from, double cutoff) {
  const Corner corner = nodes_[from].corner;
  const double seconds = nodes_[from].seconds;
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
      reach({i, j + 1}, from, seconds + std::max(first.begin[i] - x, end_second), cutoff);
      reach({i + 1, j}, from, seconds + std::max(end_first, second.begin[j] - y), cutoff);
      return;
    }
    if (end_first <= end_second) ++i;
    if (end_second <= end_first) ++j;
  }
  const Corner end{static_cast<std::uint32_t>(first.size()), static_cast<std::uint32_t>(second.size())};
  reach(end, from, seconds + std::max(first.length() - x, second.length() - y), cutoff);
}

/// Order of the heap: the least bound on top; of equal ones, what is nearest to the end.
bool TwoJobSolver::is_later(const Open& a, const Open& b) {
  if (a.bound != b.bound) return a.bound > b.bound;
  return a.progress < b.progress;
}

std::optional<double> TwoJobSolver::solve(std::span<const Interval> first, std::span<const Interval> second,
                                          double cutoff) {
  own_sums_ = {JobSums(first, cliques_), JobSums(second, cliques_)};
  return solve(own_sums_[0], own_sums_[1], cutoff);
}

std::optional<double> TwoJobSolver::solve(const JobSums& first, const JobSums& second, double cutoff,
                                          const PeriodicBound* repeated) {
  first_ = &first;
  second_ = &second;
  repeated_ = repeated;
  const double root = remaining({});
  grain_ = root > 0 ? std::ldexp(root, -34) : 1;
  nodes_.clear();
  rows_.assign(first.size() + 1, no_node);
  open_.clear();
  visited_ = 0;
  const Corner end{static_cast<std::uint32_t>(first.size()), static_cast<std::uint32_t>(second.size())};
  reach({}, no_node, 0, cutoff);
  while (!open_.empty()) {
    const Open next = open_.front();
    std::ranges::pop_heap(open_, is_later);
    open_.pop_back();
    if (next.seconds > nodes_[next.node].seconds) continue;
    ++visited_;
    if (nodes_[next.node].corner == end) {
      end_ = next.node;
      return next.seconds;
    }
    expand(next.node, cutoff);
  }
  return std::nullopt;
}

std::array<std::vector<double>, 2> TwoJobSolver::starts() const {
  std::array<std::vector<double>, 2> starts{std::vector<double>(first_->size()), std::vector<double>(second_->size())};
  for (std::uint32_t to = end_; nodes_[to].from != no_node; to = nodes_[to].from) {
    const Node& from = nodes_[nodes_[to].from];
    for (std::uint32_t i = from.corner.first; i < nodes_[to].corner.first; ++i) {
      starts[0][i] = from.seconds + first_->begin[i] - first_->begin[from.corner.first];
    }
    for (std::uint32_t j = from.corner.second; j < nodes_[to].corner.second; ++j) {
      starts[1][j] = from.seconds + second_->begin[j] - second_->begin[from.corner.second];
    }
  }
  return starts;
}

}  // namespace pimsweep::systems::llm::schedule
