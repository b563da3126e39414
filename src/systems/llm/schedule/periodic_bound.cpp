#include "systems/llm/schedule/periodic_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/downward.h"

namespace pimsweep::systems::llm::schedule {

namespace {

constexpr std::uint32_t no_arc = std::numeric_limits<std::uint32_t>::max();
/// Maximum number of blocks of both jobs along which a diagonal without conflict is followed, and maximum number of
/// cycles.
constexpr std::size_t max_blocks = 4;
constexpr int max_cycles = 40;
/// Rounds over all corners between two searches for a cycle.
constexpr int rounds_between = 3;
/// Share of a block that does not count as an improvement, and the margin by which prices stay within their cuts.
constexpr double rounding = 1e-13;
constexpr double margin = 1e-12;
/// Required worth of all blocks over their target time.
constexpr double surplus = 1.002;
/// Share by which the progress of a job counts more or less.
constexpr double max_tilt = 1e-4;

}  // namespace

void PeriodicBound::fill(const Conflicts& conflicts, std::span<const Interval> first, std::span<const Interval> second,
                         double enough) {
  const double last_worth = bounds_[0].price[0] * length_[0] + bounds_[0].price[1] * length_[1];
  const double share = last_worth > 0 ? bounds_[0].price[0] * length_[0] / last_worth : 0.5;
  first_ = first;
  second_ = second;
  columns_ = second.size();
  for (const std::size_t job : {0U, 1U}) {
    const std::span<const Interval> block = job == 0 ? first : second;
    to_end_[job].resize(block.size());
    length_[job] = 0;
    for (const std::size_t i : downward(block.size())) to_end_[job][i] = length_[job] += block[i].seconds;
    // At the begin of a block, all repetitions may be over.
    to_end_[job][0] = 0;
  }
  // A job that runs alone takes its own time.
  cuts_ = {{1, {1, 0}}, {1, {0, 1}}};
  tilts_ = find_corners(conflicts) && (is_worth(enough, share) || solve(0, bounds_[0])) ? 1 : 0;
}

bool PeriodicBound::fill_to(const Conflicts& conflicts, std::span<const Interval> first,
                            std::span<const Interval> second, std::size_t blocks, double target) {
  const auto times = static_cast<double>(blocks);
  // The bound of all blocks is slightly below their worth.
  fill(conflicts, first, second, surplus * target / times);
  return remaining(0, times * length_[0], 0, times * length_[1]) >= target;
}

/// The corners that paths from the begin of both blocks reach, each with its arcs; false if both run for long without a
/// conflict.
bool PeriodicBound::find_corners(const Conflicts& conflicts) {
  corner_at_.assign(first_.size() * columns_, no_corner);
  places_.clear();
  // No allocation, and no checks for one, in the loops that follow.
  const std::size_t most = first_.size() * columns_;
  if (free_.size() < most) {
    free_.resize(most);
    arcs_.resize(2 * most);
  }
  corner_of(0, 0);
  for (std::size_t v = 0; v < places_.size(); ++v) {
    if (!add_arcs(conflicts, v)) return false;
  }
  return true;
}

/// The number of the corner where the blocks are about to start intervals `i` and `j`, which is new if need be.
std::uint32_t PeriodicBound::corner_of(std::size_t i, std::size_t j) {
  const std::size_t place = (i < first_.size() ? i : 0) * columns_ + (j < second_.size() ? j : 0);
  if (corner_at_[place] == no_corner) {
    corner_at_[place] = static_cast<std::uint32_t>(places_.size());
    places_.push_back(static_cast<std::uint32_t>(place));
  }
  return corner_at_[place];
}

void PeriodicBound::add_tilted() {
  if (tilts_ != 1) return;
  // Prices that were enough need not be the best.
  if (!solve(0, bounds_[0])) {
    tilts_ = 0;
    return;
  }
  for (const double tilt : {max_tilt, -max_tilt}) {
    if (solve(tilt, bounds_[tilts_])) ++tilts_;
  }
}

/// True if prices with `share` for the first job are worth at least `enough` and no cycle is worth more than it costs.
bool PeriodicBound::is_worth(double enough, double share) {
  bounds_[0].price = {share * enough / length_[0], (1 - share) * enough / length_[1]};
  return std::ranges::max(bounds_[0].price) <= 1 && settle(bounds_[0]);
}

/// False if no prices are found.
bool PeriodicBound::solve(double tilt, Bound& bound) {
  for (int cycle = 0; cycle < max_cycles; ++cycle) {
    set_prices(tilt, bound);
    if (settle(bound)) return true;
  }
  return false;
}

/// False if both run for long without a conflict.
bool PeriodicBound::add_arcs(const Conflicts& conflicts, std::size_t v) {
  std::size_t i = places_[v] / columns_;
  std::size_t j = places_[v] % columns_;
  double begin_first = 0;
  double begin_second = 0;
  std::size_t steps_left = max_blocks * (first_.size() + second_.size());
  while (!conflicts.between(first_[i].uses, second_[j].uses)) {
    if (steps_left-- == 0) return false;
    const double end_first = begin_first + first_[i].seconds;
    const double end_second = begin_second + second_[j].seconds;
    if (end_first <= end_second) {
      begin_first = end_first;
      i = i + 1 < first_.size() ? i + 1 : 0;
    }
    if (end_second <= end_first) {
      begin_second = end_second;
      j = j + 1 < second_.size() ? j + 1 : 0;
    }
  }
  free_[v] = std::max(begin_first, begin_second);
  const double end_first = begin_first + first_[i].seconds;
  const double end_second = begin_second + second_[j].seconds;
  arcs_[2 * v] = {std::max(begin_first, end_second), {begin_first, end_second}, 0, corner_of(i, j + 1)};
  arcs_[2 * v + 1] = {std::max(end_first, begin_second), {end_first, begin_second}, 0, corner_of(i + 1, j)};
  return true;
}

/// The prices within the cuts that make a block of either job worth most: the best corner of a polygon.
void PeriodicBound::set_prices(double tilt, Bound& bound) const {
  double best = -1;
  const auto consider = [&](double a, double b) {
    const double worth = a * length_[0] * (1 + tilt) + b * length_[1] * (1 - tilt);
    if (!(a >= 0) || !(b >= 0) || worth <= best) return;
    for (const Cut& cut : cuts_) {
      if (a * cut.progress[0] + b * cut.progress[1] > cut.seconds * (1 + rounding)) return;
    }
    best = worth;
    bound.price = {a, b};
  };
  for (std::size_t k = 0; k < cuts_.size(); ++k) {
    const Cut& cut = cuts_[k];
    consider(cut.seconds / cut.progress[0], 0);
    consider(0, cut.seconds / cut.progress[1]);
    for (std::size_t l = 0; l < k; ++l) {
      const Cut& with = cuts_[l];
      const double determinant = cut.progress[0] * with.progress[1] - cut.progress[1] * with.progress[0];
      consider((cut.seconds * with.progress[1] - cut.progress[1] * with.seconds) / determinant,
               (cut.progress[0] * with.seconds - cut.seconds * with.progress[0]) / determinant);
    }
  }
  for (double& price : bound.price) price *= 1 - margin;
}

/// Shortest paths to an end at the current prices (Bellman and Ford); false, and one more cut, if a cycle is worth more
/// than it costs.
bool PeriodicBound::settle(Bound& bound) {
  std::vector<double>& rest = bound.rest;
  const std::size_t corners = places_.size();
  rest.resize(corners);
  next_.assign(corners, no_arc);
  for (Arc& arc : std::span(arcs_).first(2 * corners)) {
    arc.excess = arc.seconds - bound.price[0] * arc.progress[0] - bound.price[1] * arc.progress[1];
  }
  const double improvement = rounding * (length_[0] + length_[1]);
  for (std::size_t v = 0; v < corners; ++v) rest[v] = end(bound, v);
  bool changed = true;
  for (int round = 1; changed; ++round) {
    changed = false;
    // Corners are in the order in which they are reached: mostly, arcs lead to later ones.
    for (const std::size_t v : downward(corners)) {
      for (std::size_t a = 2 * v; a < 2 * v + 2; ++a) {
        const double through = arcs_[a].excess + rest[arcs_[a].to];
        if (through >= rest[v] - improvement) continue;
        rest[v] = through;
        next_[v] = static_cast<std::uint32_t>(a);
        changed = true;
      }
    }
    if (changed && round % rounds_between == 0 && add_violated_cycle()) return false;
  }
  return true;
}

/// Least seconds, less the worth of the progress, of a path that from corner `v` on runs freely until one of the jobs
/// has no repetition left; the other one then runs alone to the end of one.
double PeriodicBound::end(const Bound& bound, std::size_t v) const {
  const std::array<double, 2> to_end{to_end_[0][places_[v] / columns_], to_end_[1][places_[v] % columns_]};
  double least = infinite;
  for (const std::size_t ends : {0U, 1U}) {
    const std::size_t goes_on = 1 - ends;
    double run = to_end[ends];
    while (run <= free_[v]) {
      const double blocks = std::ceil((run - to_end[goes_on]) / length_[goes_on] - rounding);
      const double other = to_end[goes_on] + std::max(0.0, blocks) * length_[goes_on];
      least = std::min(least, std::max(run, other) - bound.price[ends] * run - bound.price[goes_on] * other);
      run += length_[ends];
    }
  }
  return least;
}

/// Adds the cut of a cycle of best arcs, if there is one.
bool PeriodicBound::add_violated_cycle() {
  visit_.assign(places_.size(), no_arc);
  for (std::uint32_t start = 0; start < places_.size(); ++start) {
    std::uint32_t v = start;
    while (visit_[v] == no_arc && next_[v] != no_arc) {
      visit_[v] = start;
      v = arcs_[next_[v]].to;
    }
    if (visit_[v] != start || next_[v] == no_arc) continue;
    Cut cut;
    const std::uint32_t begin = v;
    do {
      const Arc& arc = arcs_[next_[v]];
      cut.seconds += arc.seconds;
      cut.progress[0] += arc.progress[0];
      cut.progress[1] += arc.progress[1];
      v = arc.to;
    } while (v != begin);
    cuts_.push_back(cut);
    return true;
  }
  return false;
}

}  // namespace pimsweep::systems::llm::schedule
