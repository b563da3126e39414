#include "systems/heteropim/training_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "hardware/gpu/gpu_model.h"
#include "hardware/hmc_logic/placement.h"

namespace pimsweep::systems::heteropim {

namespace {

using workload::training::TrainingGraph;
using Kind = runtime::Policy::Kind;

std::uint32_t pairs_of(const Settings& settings) {
  if (!settings.policy->has_pairs()) return 0;
  const Area& area = settings.machine.area;
  const std::int64_t fit =
      hardware::hmc_logic::units_that_fit(area.available, area.programmable, settings.programmable, area.pair);
  if (fit == 0) {
    throw PointError(fmt::format("{} programmable PIMs leave no area for a single pair", settings.programmable));
  }
  return static_cast<std::uint32_t>(std::min<std::int64_t>(fit, 1 << 20));
}

runtime::Runtime runtime_of(const Settings& settings, std::uint32_t pairs) {
  const Synchronisation& synchronisation = settings.machine.synchronisation;
  runtime::Runtime runtime;
  runtime.pairs = pairs;
  runtime.serial = !settings.policy->schedules();
  runtime.recursive_kernels = settings.recursive_kernels;
  runtime.operation_pipeline = settings.operation_pipeline;
  runtime.fallback = settings.fallback;
  runtime.host_launch =
      synchronisation.launch + (settings.idle_registers ? synchronisation.query : synchronisation.interrupt);
  runtime.recursive_call = synchronisation.recursive_call;
  switch (settings.policy->kind) {
    case Kind::cpu:
      break;
    case Kind::gpu:
      runtime.programmable = 1;
      runtime.host_launch = settings.machine.gpu.device.launch;
      break;
    case Kind::prog_pim:
    case Kind::neurocube:
      runtime.programmable = 1;
      break;
    case Kind::fixed_pim:
      runtime.recursive_kernels = false;
      runtime.operation_pipeline = false;
      break;
    case Kind::lookahead:
      runtime.assignment = runtime::Assignment::earliest_end;
      runtime.programmable = settings.programmable;
      break;
    case Kind::hetero_pim:
      runtime.programmable = settings.programmable;
      break;
  }
  return runtime;
}

/// Of a step in the steady state.
double step_time(const std::vector<double>& ends) {
  if (ends.size() == 1) return ends[0];
  return (ends.back() - ends.front()) / static_cast<double>(ends.size() - 1);
}

/// Joules of data and host; what pairs, programmable PIM and card take is the policies' own.
StepEnergy energy_of(const Settings& settings, const StepCosts& costs, const Outcome& outcome,
                     const hardware::gpu::KernelCost& kernels) {
  const Machine& machine = settings.machine;
  const Kind kind = settings.policy->kind;
  const runtime::Execution& execution = outcome.execution;
  const auto steps = static_cast<double>(settings.steps);
  const auto step = [&](runtime::Device device) { return execution.busy[static_cast<std::size_t>(device)] / steps; };
  StepEnergy energy;
  energy.idle = machine.host.idle_power * outcome.time;
  energy.host = machine.host.busy_power * step(runtime::Device::host);
  if (kind == Kind::gpu) {
    const hardware::gpu::Energy card = hardware::gpu::GpuModel(machine.gpu.device).energy(kernels);
    energy.idle += machine.gpu.device.idle_power * outcome.time;
    energy.gpu = card.math + card.cache + card.memory;
    return energy;
  }
  double host_bytes = 0;
  double stack_bytes = 0;
  double pair_work = 0;
  for (std::size_t i = 0; i < execution.placements.size(); ++i) {
    const std::size_t task = i % costs.graph.size();
    if (costs.graph.tasks[task].kind == runtime::TaskKind::none) continue;
    const runtime::Placement placement = execution.placements[i];
    if (placement == runtime::Device::host) host_bytes += costs.host_bytes[task];
    if (placement != runtime::Device::host) stack_bytes += costs.tensor_bytes[task];
    if (placement == runtime::Device::pairs) pair_work += costs.simple_work[task];
  }
  // A multiplication and an addition share the energy of a pair's operation.
  energy.pairs = pair_work / 2 * machine.pairs.energy / steps;
  if (kind == Kind::cpu) {
    energy.memory = host_bytes * machine.host.memory_energy / steps;
    return energy;
  }
  energy.idle += machine.stack.background_power * outcome.time;
  energy.memory = (host_bytes * machine.stack.outer_energy + stack_bytes * machine.stack.inner_energy) / steps;
  // Whatever makes PIM faster does not make an operation cheaper.
  const double power = machine.programmable.busy_power * settings.frequency * machine.throughput *
                       (kind == Kind::prog_pim ? settings.programmable : 1);
  energy.programmable =
      (kind == Kind::neurocube ? machine.neurocube.busy_power : power) * step(runtime::Device::programmable);
  return energy;
}

}  // namespace

const TrainingGraph& GraphCache::graph(const std::string& workload, std::int64_t batch) {
  auto& kept = graphs_[{workload, batch}];
  if (!kept) {
    workload::training::TrainingStep step = steps_.find(workload);
    if (batch > 0) step.batch = batch;
    kept = std::make_unique<const TrainingGraph>(workload::training::training_graph(models_, step));
  }
  return *kept;
}

Outcome Trainer::run(const Settings& settings) {
  const TrainingGraph& graph = graphs_.graph(settings.workload, settings.batch);
  const Kind kind = settings.policy->kind;
  const bool own_memory = kind == Kind::cpu || kind == Kind::gpu;
  const double speed = settings.frequency * settings.machine.throughput;
  Outcome outcome;
  outcome.pairs = pairs_of(settings);
  LogicDie die{
      .speed = speed, .pairs = outcome.pairs, .programmable = settings.programmable, .operands = settings.operands};
  StepCosts costs = step_costs(graph, settings.machine, own_memory ? MainMemory::own : MainMemory::stack, die);
  outcome.profile = choose_candidates(graph, costs, settings.candidate_share);
  std::vector<std::uint8_t> candidate = candidate_flags(graph, outcome.profile);
  // Without the runtime there is no choice.
  if (!settings.policy->schedules()) candidate.assign(graph.size(), 1);
  CardStep card;
  if (kind == Kind::gpu) card = run_on_gpu(graph, settings.machine, costs);
  if (kind == Kind::prog_pim) {
    run_on_programmable(graph, settings.machine, speed, settings.programmable, costs);
  }
  if (kind == Kind::neurocube) run_on_neurocube(graph, settings.machine, costs);

  if (settings.policy->schedules()) {
    outcome.critical_path = runtime::critical_path(costs.graph, outcome.pairs);
    outcome.work_bound = runtime::work_bound(costs.graph, outcome.pairs, settings.programmable);
  }
  const runtime::Runtime runtime = runtime_of(settings, outcome.pairs);
  const std::vector<std::uint32_t> order = kind == Kind::lookahead ? runtime::by_upward_rank(costs.graph, outcome.pairs)
                                                                   : runtime::program_order(costs.graph);
  const runtime::Stream stream{.graph = &costs.graph, .steps = settings.steps, .candidate = candidate, .order = order};
  executor_.run(runtime, std::span(&stream, 1), settings.timeline, outcome.execution);
  const runtime::Execution& execution = outcome.execution;
  outcome.time = step_time(execution.step_ends);
  const double scale = outcome.time / execution.makespan;
  outcome.operation = execution.operation * scale;
  outcome.movement = execution.movement * scale;
  outcome.synchronisation = execution.synchronisation * scale;
  const auto share = [&](runtime::Device device, double units) {
    return units > 0 ? execution.busy[static_cast<std::size_t>(device)] / (units * execution.makespan) : 0;
  };
  outcome.pair_utilisation = share(runtime::Device::pairs, outcome.pairs);
  outcome.host_utilisation = share(runtime::Device::host, 1);
  outcome.programmable_utilisation = share(runtime::Device::programmable, runtime.programmable);
  if (kind == Kind::gpu) {
    outcome.copies = copies(graph, settings.machine.gpu.memory);
    const double bandwidth = settings.machine.gpu.copy_bandwidth;
    const double exposed =
        std::max(0.0, outcome.copies.fed / bandwidth - outcome.time) + outcome.copies.swapped / bandwidth;
    outcome.time += exposed;
    outcome.movement += exposed;
  }
  outcome.energy = energy_of(settings, costs, outcome, card.kernels);
  outcome.convolutions = std::move(card.convolutions);

  if (!settings.partner.empty()) {
    const TrainingGraph& other = graphs_.graph(settings.partner, 0);
    die.pairs = 0;
    StepCosts other_costs = step_costs(other, settings.machine, MainMemory::stack, die);
    const auto profile = choose_candidates(other, other_costs, settings.candidate_share);
    const std::vector<std::uint8_t> other_candidate = candidate_flags(other, profile);
    for (runtime::Task& task : other_costs.graph.tasks) {
      if (task.kind != runtime::TaskKind::none) task.kind = runtime::TaskKind::programmable;
    }
    const std::vector<std::uint32_t> other_order = runtime::program_order(other_costs.graph);
    runtime::Stream partner{
        .graph = &other_costs.graph, .steps = settings.steps, .candidate = other_candidate, .order = other_order};
    runtime::Execution run;
    executor_.run(runtime, std::span(&partner, 1), false, run);
    outcome.partner_time = step_time(run.step_ends);
    outcome.partner_steps = static_cast<std::uint32_t>(std::max(1.0, std::round(outcome.time / outcome.partner_time)));
    partner.steps = outcome.partner_steps * settings.steps;
    constexpr std::uint64_t most = 1U << 25U;
    if (std::uint64_t{partner.steps} * other.size() > most) {
      throw PointError(fmt::format("{} steps of '{}' run beside {} of '{}': more than {} operations", partner.steps,
                                   settings.partner, settings.steps, settings.workload, most));
    }
    const runtime::Stream both[]{stream, partner};
    executor_.run(runtime, both, false, run);
    outcome.together = run.makespan;
    outcome.one_by_one = execution.makespan + partner.steps * outcome.partner_time;
  }
  return outcome;
}

}  // namespace pimsweep::systems::heteropim
