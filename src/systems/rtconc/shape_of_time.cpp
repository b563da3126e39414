#include "systems/rtconc/shape_of_time.h"

#include <algorithm>
#include <vector>

namespace pimsweep::systems::rtconc {

namespace {

/// Differences below this share of a time count as rounding.
constexpr double rounding = 1e-9;

/// Whether evenly spaced times are convex.
bool is_convex(std::span<const double> times) {
  for (std::size_t i = 1; i + 1 < times.size(); ++i) {
    if (times[i - 1] + times[i + 1] - 2 * times[i] < -rounding * times[i]) return false;
  }
  return true;
}

/// Whether some descent ends above the minimum.
bool has_local_optimum(std::span<const double> times) {
  const double least = *std::min_element(times.begin(), times.end());
  bool falls = true;
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] > times[i - 1] * (1 + rounding)) {
      if (falls && times[i - 1] > least * (1 + rounding)) return true;
      falls = false;
    } else if (times[i] < times[i - 1] * (1 - rounding)) {
      falls = true;
    }
  }
  return falls && times.back() > least * (1 + rounding);
}

}  // namespace

ShapeOfTime shape_of_time(const schedule::CostTable& costs, std::span<const schedule::Case> cases,
                          const PerformanceModel& model) {
  using hardware::manycore::Affinity;
  ShapeOfTime shape;
  std::vector<double> times;
  const auto timed = static_cast<double>(std::count(model.untimed.begin(), model.untimed.end(), 0));
  for (std::size_t c = 0; c < costs.classes(); ++c) {
    if (model.untimed[c] != 0) continue;
    bool convex = true;
    bool local = false;
    for (const Affinity affinity : {Affinity::spread, Affinity::compact}) {
      times.clear();
      for (std::size_t which = 0; which < cases.size(); ++which) {
        if (cases[which].affinity == affinity) times.push_back(costs.at(c, which).seconds);
      }
      convex = convex && is_convex(times);
      local = local || has_local_optimum(times);
    }
    shape.not_convex += convex ? 0 : 1;
    shape.with_local_optima += local ? 1 : 0;
    const std::span<const double> predicted = model.prediction.of(c);
    const auto expected = std::min_element(predicted.begin(), predicted.end()) - predicted.begin();
    double best = costs.at(c, 0).seconds;
    for (const schedule::RunCost& cost : costs.of(c)) best = std::min(best, cost.seconds);
    shape.mean_loss += (costs.at(c, static_cast<std::size_t>(expected)).seconds / best - 1) / timed;
  }
  return shape;
}

}  // namespace pimsweep::systems::rtconc
