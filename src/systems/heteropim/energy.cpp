#include "systems/heteropim/energy.h"

#include "hardware/gpu/gpu_model.h"

namespace pimsweep::systems::heteropim {

namespace {

/// What all steps of a run move and compute.
struct Activity {
  double host_bytes = 0;
  double stack_bytes = 0;
  /// Multiplications and additions on pairs.
  double pair_work = 0;
};

Activity activity_of(const Plan& plan, const runtime::Execution& execution) {
  const StepCosts& costs = plan.costs;
  Activity activity;
  for (std::size_t i = 0; i < execution.placements.size(); ++i) {
    const std::size_t task = i % costs.graph.size();
    if (costs.graph.tasks[task].kind == runtime::TaskKind::none) continue;
    const runtime::Placement placement = execution.placements[i];
    if (placement == runtime::Device::host) {
      activity.host_bytes += costs.host_bytes[task];
    } else {
      activity.stack_bytes += costs.tensor_bytes[task];
    }
    if (placement == runtime::Device::pairs) activity.pair_work += costs.simple_work[task];
  }
  return activity;
}

}  // namespace

StepEnergy energy_of(const Settings& settings, const Outcome& outcome) {
  const Machine& machine = settings.machine;
  const auto steps = static_cast<double>(settings.steps);
  const auto busy = [&](runtime::Device device) {
    return outcome.execution.busy[static_cast<std::size_t>(device)] / steps;
  };
  StepEnergy energy;
  energy.idle = machine.host.idle_power * outcome.time;
  energy.host = machine.host.busy_power * busy(runtime::Device::host);
  if (outcome.plan.card) {
    const hardware::gpu::Energy card = hardware::gpu::GpuModel(machine.gpu.device()).energy(outcome.plan.card->kernels);
    energy.idle += machine.gpu.device().idle_power * outcome.time;
    energy.gpu = card.math + card.cache + card.memory;
    return energy;
  }
  const Activity activity = activity_of(outcome.plan, outcome.execution);
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

}  // namespace pimsweep::systems::heteropim
