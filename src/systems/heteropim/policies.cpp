#include "systems/heteropim/policies.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "hardware/hmc_logic/placement.h"
#include "systems/heteropim/runtime/order.h"

namespace pimsweep::systems::heteropim {

namespace {

using workload::training::TrainingGraph;

/// Pairs that fit on the logic die beside the programmable PIMs.
std::uint32_t fitting_pairs(const Settings& settings) {
  const Area& area = settings.machine.area;
  const std::int64_t fit =
      hardware::hmc_logic::units_that_fit(area.available, area.programmable, settings.programmable, area.pair);
  if (fit == 0) {
    throw PointError(fmt::format("{} programmable PIMs leave no area for a single pair", settings.programmable));
  }
  constexpr std::int64_t max_pairs = 1 << 20;
  return static_cast<std::uint32_t>(std::min(fit, max_pairs));
}

/// A host with `pairs` pairs: operations run one after another in the order of the program, and all are offered to PIM.
Plan one_by_one(const Settings& settings, const TrainingGraph& graph, MainMemory memory, std::uint32_t pairs) {
  const Machine& machine = settings.machine;
  Plan plan;
  plan.memory = memory;
  plan.costs = step_costs(graph, settings, memory, pairs);
  plan.runtime.pairs = pairs;
  plan.runtime.serial = !settings.policy->schedules;
  plan.runtime.recursive_kernels = settings.recursive_kernels;
  plan.runtime.operation_pipeline = settings.operation_pipeline;
  plan.runtime.fallback = settings.fallback;
  plan.runtime.idle_pim_helps = settings.idle_pim_helps;
  const Synchronization& synchronization = machine.synchronization;
  plan.runtime.host_launch =
      synchronization.launch + (settings.idle_registers ? synchronization.query : synchronization.interrupt);
  plan.runtime.recursive_call = synchronization.recursive_call;
  plan.profile = choose_candidates(graph, plan.costs, settings.candidate_share);
  plan.candidates.assign(graph.size(), 1);
  plan.order = runtime::program_order(plan.costs.graph);
  plan.accelerator.busy_power = machine.programmable.busy_power * settings.frequency * machine.throughput;
  plan.accelerator.peak_rate =
      machine.programmable.cores * machine.programmable.clock * machine.programmable.rate * settings.speed();
  plan.parts = hardware::silicon::Parts{.processors = 1};
  if (memory == MainMemory::stack) plan.parts->logic_area = machine.area.available;
  return plan;
}

Plan cpu(const Settings& settings, const TrainingGraph& graph) {
  return one_by_one(settings, graph, MainMemory::own, 0);
}

Plan gpu(const Settings& settings, const TrainingGraph& graph) {
  Plan plan = one_by_one(settings, graph, MainMemory::own, 0);
  plan.gpu = run_on_gpu(graph, settings.machine, plan.costs);
  plan.runtime.programmable = 1;
  plan.runtime.host_launch = settings.machine.gpu.device().launch;
  plan.accelerator.name = "card";
  plan.parts.reset();
  return plan;
}

Plan programmable_pim(const Settings& settings, const TrainingGraph& graph) {
  Plan plan = one_by_one(settings, graph, MainMemory::stack, 0);
  run_on_programmable(graph, settings, plan.costs);
  plan.runtime.programmable = 1;
  plan.accelerator.busy_power *= settings.programmable;
  plan.accelerator.peak_rate *= settings.programmable;
  return plan;
}

Plan fixed_pim(const Settings& settings, const TrainingGraph& graph) {
  Plan plan = one_by_one(settings, graph, MainMemory::stack, fitting_pairs(settings));
  plan.runtime.recursive_kernels = false;
  plan.runtime.operation_pipeline = false;
  return plan;
}

Plan hetero_pim(const Settings& settings, const TrainingGraph& graph) {
  Plan plan = one_by_one(settings, graph, MainMemory::stack, fitting_pairs(settings));
  plan.runtime.programmable = settings.programmable;
  plan.candidates = candidate_flags(graph, plan.profile);
  return plan;
}

Plan neurocube(const Settings& settings, const TrainingGraph& graph) {
  Plan plan = one_by_one(settings, graph, MainMemory::stack, 0);
  run_on_neurocube(graph, settings.machine, plan.costs);
  plan.runtime.programmable = 1;
  const Neurocube& cube = settings.machine.neurocube;
  plan.accelerator = {"neurocube", cube.busy_power, 2 * cube.macs * cube.clock};
  plan.parts.reset();
  return plan;
}

Plan lookahead(const Settings& settings, const TrainingGraph& graph) {
  Plan plan = hetero_pim(settings, graph);
  plan.runtime.assignment = runtime::Assignment::earliest_end;
  plan.runtime.fallback = runtime::Fallback::earlier;
  plan.order = runtime::by_upward_rank(plan.costs.graph, plan.runtime.pairs);
  return plan;
}

}  // namespace

const std::array<Policy, 7> policies{{
    {"cpu", "every operation on the host, one after another", cpu},
    {"gpu", "every operation on the GPU; copies overlap with the step before", gpu},
    {"prog-pim", "every operation on all programmable PIMs together, one after another", programmable_pim},
    {"fixed-pim", "multiplications and additions on fixed-function PIM, all else on the host, one after another",
     fixed_pim},
    {"hetero-pim",
     "candidates on PIM by the three principles, with recursive kernels (rc) and operation pipeline (op) if these are "
     "on",
     hetero_pim, true},
    {"neurocube", "every operation on Neurocube, one after another", neurocube},
    {"lookahead", "no candidates: operations by upward rank, each where it ends first", lookahead, true},
}};

}  // namespace pimsweep::systems::heteropim
