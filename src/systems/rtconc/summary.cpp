#include "systems/rtconc/summary.h"

#include <algorithm>
#include <cmath>

#include "systems/rtconc/schedule/list_scheduling.h"

namespace pimsweep::systems::rtconc {

std::span<const schedule::Event> middle_events(const schedule::Outcome& outcome) {
  constexpr std::size_t shown = 6000;
  const std::span<const schedule::Event> all = outcome.events;
  return all.size() <= shown ? all : all.subspan((all.size() - shown) / 2, shown);
}

double mkl_share(const TrainingRun& run) {
  const schedule::Outcome& outcome = run.recommended.outcome;
  const StepOperations& operations = run.step.operations;
  double mkl = 0;
  double all = 0;
  for (std::size_t i = 0; i < operations.step.size(); ++i) {
    if (operations.step.operation_class[i] == schedule::Step::none) continue;
    const double seconds = outcome.end[i] - outcome.start[i];
    all += seconds;
    if (uses_mkl(operations.types[operations.step.operation_class[i]])) mkl += seconds;
  }
  return mkl / all;
}

Bounds bounds_of(const Settings& settings, const TrainingRun& run) {
  const StepOperations& operations = run.step.operations;
  std::vector<double> shortest;
  Bounds bounds;
  for (std::size_t c = 0; c < operations.classes.size(); ++c) {
    double seconds = INFINITY;
    for (const schedule::RunCost& cost : run.step.costs->of(c)) seconds = std::min(seconds, cost.seconds);
    shortest.push_back(seconds);
    const schedule::OperationClass& one = operations.classes[c];
    bounds.work += one.instances * (one.serial + schedule::min_core_seconds(settings.machine.cpu(), one.work)) /
                   settings.machine.cpu().cores;
  }
  bounds.critical_path = schedule::critical_path(operations.step, shortest, settings.machine.dispatch);
  return bounds;
}

std::vector<TypeTotal> totals_by_type(const TrainingRun& run) {
  std::vector<TypeTotal> totals(workload::training::operation_types);
  const schedule::Outcome& now = run.scheduled.outcome;
  const schedule::Outcome& before = run.recommended.outcome;
  const StepOperations& operations = run.step.operations;
  for (std::size_t i = 0; i < operations.step.size(); ++i) {
    const std::uint32_t operation_class = operations.step.operation_class[i];
    if (operation_class == schedule::Step::none) continue;
    TypeTotal& total = totals[operations.classes[operation_class].kind];
    total.type = operations.types[operation_class];
    ++total.instances;
    total.seconds += now.end[i] - now.start[i];
    total.recommended += before.end[i] - before.start[i];
    total.threads += now.cost[i]->threads;
  }
  std::erase_if(totals, [](const TypeTotal& total) { return total.instances == 0; });
  std::stable_sort(totals.begin(), totals.end(),
                   [](const TypeTotal& a, const TypeTotal& b) { return a.recommended > b.recommended; });
  return totals;
}

double busy_cores(const schedule::Outcome& outcome) {
  double sum = 0;
  for (std::size_t i = 0; i < outcome.cost.size(); ++i) {
    if (outcome.cost[i] != nullptr) sum += outcome.cost[i]->cores * (outcome.end[i] - outcome.start[i]);
  }
  return sum / outcome.seconds;
}

namespace {

/// Differences below this share of a time count as rounding.
constexpr double rounding = 1e-9;

/// True if evenly spaced times are convex.
bool is_convex(std::span<const double> times) {
  for (std::size_t i = 1; i + 1 < times.size(); ++i) {
    if (times[i - 1] + times[i + 1] - 2 * times[i] < -rounding * times[i]) return false;
  }
  return true;
}

/// True if a descent ends above the minimum.
bool has_local_optimum(std::span<const double> times) {
  const double shortest = *std::min_element(times.begin(), times.end());
  bool falls = true;
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] > times[i - 1] * (1 + rounding)) {
      if (falls && times[i - 1] > shortest * (1 + rounding)) return true;
      falls = false;
    } else if (times[i] < times[i - 1] * (1 - rounding)) {
      falls = true;
    }
  }
  return falls && times.back() > shortest * (1 + rounding);
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
