#include "systems/llm/schedule/two_jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/downward.h"
#include "base/error.h"

namespace pimsweep::systems::llm::schedule {

namespace {

constexpr std::size_t max_cells = std::size_t{1} << 26;

}  // namespace

void TwoJobSolver::prepare(Sums& sums, std::span<const Interval> job) const {
  const std::size_t n = job.size();
  const std::size_t cliques = cliques_.size();
  sums.job = job;
  sums.begin.resize(n + 1);
  sums.begin[0] = 0;
  for (std::size_t i = 0; i < n; ++i) sums.begin[i + 1] = sums.begin[i] + job[i].seconds;
  sums.load.assign((n + 1) * cliques, 0);
  sums.head.assign((n + 1) * cliques, 0);
  sums.tail.assign(cliques, 0);
  for (std::size_t c = 0; c < cliques; ++c) {
    for (const std::size_t i : downward(n)) {
      const std::size_t at = i * cliques + c;
      const bool uses = (job[i].uses & cliques_[c]) != 0;
      sums.load[at] = sums.load[at + cliques] + (uses ? job[i].seconds : 0);
      sums.head[at] = uses ? 0 : sums.head[at + cliques] + job[i].seconds;
      if (uses && sums.load[at + cliques] == 0) sums.tail[c] = sums.length() - sums.begin[i + 1];
    }
  }
}

/// A lower bound of the seconds from a corner to the end of both jobs.
double TwoJobSolver::remaining(Corner corner) const {
  const auto& [first, second] = jobs_;
  double bound = std::max(first.length() - first.begin[corner.first], second.length() - second.begin[corner.second]);
  const std::size_t cliques = cliques_.size();
  for (std::size_t c = 0; c < cliques; ++c) {
    const std::size_t a = corner.first * cliques + c;
    const std::size_t b = corner.second * cliques + c;
    // If only one of them has something left, its own length says more.
    if (first.load[a] == 0 || second.load[b] == 0) continue;
    bound = std::max(bound, first.load[a] + second.load[b] + std::min(first.head[a], second.head[b]) +
                                std::min(first.tail[c], second.tail[c]));
  }
  return bound;
}

void TwoJobSolver::reach(Corner corner, Corner from, double seconds, double cutoff) {
  Cell& at = cell(corner);
  if (at.search == search_ && at.seconds <= seconds) return;
  const double bound = seconds + remaining(corner);
  if (bound >= cutoff) return;
  at = {.seconds = seconds, .search = search_, .from = from};
  open_.push_back({.bound = bound, .seconds = seconds, .corner = corner});
  std::ranges::push_heap(open_, is_later);
}

/// Follows the diagonal from a corner, where both jobs run, to the first rectangle, and goes around it on either side:
/// the first job waits for the second, or the second did not start what keeps the first from going on.
void TwoJobSolver::expand(Corner corner, double seconds, double cutoff) {
  const auto& [first, second] = jobs_;
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
  const std::size_t cells = (first.size() + 1) * (second.size() + 1);
  if (first.size() > max_cells || second.size() > max_cells || cells > max_cells) {
    throw PointError(fmt::format("two sub-batches of {} and {} intervals; allowed are {} pairs of intervals",
                                 first.size(), second.size(), max_cells));
  }
  prepare(jobs_[0], first);
  prepare(jobs_[1], second);
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
  std::array<std::vector<double>, 2> starts{std::vector<double>(jobs_[0].size()), std::vector<double>(jobs_[1].size())};
  Corner to{static_cast<std::uint32_t>(jobs_[0].size()), static_cast<std::uint32_t>(jobs_[1].size())};
  while (to != Corner{}) {
    const Corner from = cell(to).from;
    const double seconds = cell(from).seconds;
    for (std::uint32_t i = from.first; i < to.first; ++i) {
      starts[0][i] = seconds + jobs_[0].begin[i] - jobs_[0].begin[from.first];
    }
    for (std::uint32_t j = from.second; j < to.second; ++j) {
      starts[1][j] = seconds + jobs_[1].begin[j] - jobs_[1].begin[from.second];
    }
    to = from;
  }
  return starts;
}

double TwoJobSolver::lower_bound(std::span<const Interval> first, std::span<const Interval> second) {
  prepare(jobs_[0], first);
  prepare(jobs_[1], second);
  return remaining({});
}

}  // namespace pimsweep::systems::llm::schedule
