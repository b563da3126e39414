#include "systems/heteropim/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "hardware/gpu/gpu_model.h"
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
  if (!outcome.plan.gpu) return;
  const double exposed = outcome.plan.gpu->exposed_copy_time(outcome.time, settings.machine.gpu.copy_bandwidth);
  outcome.time += exposed;
  outcome.movement += exposed;
}

Activity activity_of(const Plan& plan, const runtime::Execution& execution) {
  const StepCosts& costs = plan.costs;
  Activity activity;
  for (std::size_t i = 0; i < execution.placements.size(); ++i) {
    const std::size_t task = i % costs.graph.size();
    if (costs.graph.tasks[task].kind == runtime::TaskKind::none) continue;
    const runtime::Placement placement = execution.placements[i];
    if (placement == runtime::Device::host) {
      activity.host_bytes += costs.host_bytes[task];
      activity.host_work += costs.simple_work[task];
    } else {
      activity.stack_bytes += costs.tensor_bytes[task];
      activity.pim_work += costs.simple_work[task];
    }
    if (placement == runtime::Device::pairs) activity.pair_work += costs.simple_work[task];
  }
  return activity;
}

/// Energy of a step that takes `outcome.time`.
StepEnergy energy_of(const Settings& settings, const Outcome& outcome) {
  const Machine& machine = settings.machine;
  const auto steps = static_cast<double>(settings.steps);
  const auto busy = [&](runtime::Device device) {
    return outcome.execution.busy[static_cast<std::size_t>(device)] / steps;
  };
  StepEnergy energy;
  energy.idle = machine.host.idle_power * outcome.time;
  energy.host = machine.host.busy_power * (settings.host_always_busy ? outcome.time : busy(runtime::Device::host));
  if (outcome.plan.gpu) {
    const hardware::gpu::Energy card = hardware::gpu::GpuModel(machine.gpu.device()).energy(outcome.plan.gpu->kernels);
    energy.idle += machine.gpu.device().idle_power * outcome.time;
    energy.gpu = card.math + card.cache + card.memory;
    return energy;
  }
  const Activity& activity = outcome.activity;
  // A multiplication and an addition share the energy of a pair's operation.
  energy.pairs = activity.pair_work / 2 * machine.pairs.energy / steps;
  if (outcome.plan.memory == MainMemory::own) {
    energy.memory = activity.host_bytes * machine.host.memory_energy / steps;
    return energy;
  }
  energy.idle += machine.stack.background_power * outcome.time;
  energy.memory =
      (activity.host_bytes * machine.stack.outer_energy + activity.stack_bytes * machine.stack.inner_energy) / steps;
  energy.programmable = outcome.plan.accelerator.busy_power * busy(runtime::Device::programmable);
  return energy;
}

}  // namespace

void require_scheduler_for_partner(const Settings& settings) {
  if (settings.partner.empty() || settings.policy->schedules) return;
  throw PointError(
      fmt::format("policy '{}' runs one operation at a time and cannot run a partner", settings.policy->name));
}

Outcome Trainer::run(const Settings& settings) {
  require_scheduler_for_partner(settings);
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
  outcome.activity = activity_of(plan, outcome.execution);
  outcome.energy = energy_of(settings, outcome);
  if (!settings.partner.empty()) outcome.partner = run_beside(settings, outcome, stream);
  return outcome;
}

// Pairs belong to the first step: every operation of the partner runs on a processor.
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
