#include "systems/heteropim/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "systems/heteropim/energy.h"
#include "systems/heteropim/runtime/order.h"
#include "systems/heteropim/runtime/work_bound.h"

namespace pimsweep::systems::heteropim {

namespace {

using workload::training::TrainingGraph;

/// Mean time of a step over all but the first.
double step_time(const std::vector<double>& ends) {
  if (ends.size() == 1) return ends[0];
  return (ends.back() - ends.front()) / static_cast<double>(ends.size() - 1);
}

Utilization utilization_of(const runtime::Runtime& runtime, const runtime::Execution& execution) {
  const auto share = [&](runtime::Device device, double units) {
    return units > 0 ? execution.busy[static_cast<std::size_t>(device)] / (units * execution.makespan) : 0;
  };
  return {.host = share(runtime::Device::host, 1),
          .programmable = share(runtime::Device::programmable, runtime.programmable),
          .pairs = share(runtime::Device::pairs, runtime.pairs)};
}

/// Fills time and its parts from the execution.
void split_time(const Settings& settings, Outcome& outcome) {
  const runtime::Execution& execution = outcome.execution;
  outcome.time = step_time(execution.step_ends);
  const double scale = outcome.time / execution.makespan;
  outcome.operation = execution.operation * scale;
  outcome.movement = execution.movement * scale;
  outcome.synchronization = execution.synchronization * scale;
  if (!outcome.plan.card) return;
  const double exposed = outcome.plan.card->exposed_copy_time(outcome.time, settings.machine.gpu.copy_bandwidth);
  outcome.time += exposed;
  outcome.movement += exposed;
}

}  // namespace

void require_place_for_partner(const Settings& settings) {
  if (settings.partner.empty() || settings.policy->schedules) return;
  throw PointError(
      fmt::format("policy '{}' runs one operation at a time: it has no place for a partner", settings.policy->name));
}

Outcome Trainer::run(const Settings& settings) {
  require_place_for_partner(settings);
  Outcome outcome;
  outcome.plan = settings.policy->choose(settings, graphs_.graph(settings.model));
  const Plan& plan = outcome.plan;
  if (settings.policy->schedules) {
    outcome.bounds = {.critical_path = runtime::critical_path(plan.costs.graph, plan.runtime.pairs),
                      .work = runtime::work_bound(plan.costs.graph, plan.runtime.pairs, settings.programmable)};
  }
  const runtime::Stream stream{
      .graph = &plan.costs.graph, .steps = settings.steps, .candidate = plan.candidates, .order = plan.order};
  executor_.run(plan.runtime, std::span(&stream, 1), settings.record_timeline, outcome.execution);
  outcome.utilization = utilization_of(plan.runtime, outcome.execution);
  split_time(settings, outcome);
  outcome.energy = energy_of(settings, outcome);
  if (!settings.partner.empty()) outcome.partner = run_beside(settings, outcome, stream);
  return outcome;
}

// Pairs belong to the first step: every operation of the partner needs a processor.
CoRun Trainer::run_beside(const Settings& settings, const Outcome& outcome, const runtime::Stream& stream) {
  const TrainingGraph& graph = graphs_.graph(settings.partner_choice());
  StepCosts costs = step_costs(graph, settings, MainMemory::stack, 0);
  const auto profile = choose_candidates(graph, costs, settings.candidate_share);
  const std::vector<std::uint8_t> candidates = candidate_flags(graph, profile);
  for (runtime::Task& task : costs.graph.tasks) {
    if (task.kind != runtime::TaskKind::none) task.kind = runtime::TaskKind::programmable;
  }
  const std::vector<std::uint32_t> order = runtime::program_order(costs.graph);
  runtime::Stream partner{.graph = &costs.graph, .steps = settings.steps, .candidate = candidates, .order = order};
  runtime::Execution execution;
  executor_.run(outcome.plan.runtime, std::span(&partner, 1), false, execution);
  CoRun run;
  run.partner_time = step_time(execution.step_ends);
  const double beside = std::max(1.0, std::round(outcome.time / run.partner_time));
  constexpr double max_operations = 1U << 25U;
  const double steps = beside * static_cast<double>(settings.steps);
  if (!(steps * static_cast<double>(graph.size()) <= max_operations)) {
    throw PointError(fmt::format("{:.0f} steps of '{}' run beside {} of '{}': more than {} operations", steps,
                                 settings.partner, settings.steps, settings.model.name, max_operations));
  }
  run.steps = static_cast<std::uint32_t>(beside);
  partner.steps = run.steps * settings.steps;
  const runtime::Stream both[]{stream, partner};
  executor_.run(outcome.plan.runtime, both, false, execution);
  run.together_time = execution.makespan;
  run.one_by_one_time = outcome.execution.makespan + partner.steps * run.partner_time;
  return run;
}

}  // namespace pimsweep::systems::heteropim
