#include "systems/rtconc/summary.h"

#include <algorithm>
#include <cmath>

#include "systems/rtconc/schedule/moldable.h"

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
  std::vector<double> least;
  Bounds bounds;
  for (std::size_t c = 0; c < operations.classes.size(); ++c) {
    double seconds = INFINITY;
    for (const schedule::RunCost& cost : run.step.costs->of(c)) seconds = std::min(seconds, cost.seconds);
    least.push_back(seconds);
    const schedule::OperationClass& one = operations.classes[c];
    bounds.work += one.instances * one.time_factor * schedule::min_core_seconds(settings.machine.cpu(), one.work) /
                   settings.machine.cpu().cores;
  }
  bounds.critical_path = schedule::critical_path(operations.step, least, settings.machine.dispatch);
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

}  // namespace pimsweep::systems::rtconc
