#include "systems/hypar/layer_costs.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::systems::hypar {

namespace {

/// Work of an accelerator in images: of the busiest accelerator, and on average.
struct Share {
  double max = 0;
  double mean = 0;
};

Share share_of(std::int64_t batch, int data_levels, int levels, Task task) {
  const double mean = std::ldexp(static_cast<double>(batch), -levels);
  if (task == Task::training) return {mean, mean};
  const double images = std::ceil(std::ldexp(static_cast<double>(batch), -data_levels));
  return {std::ldexp(images, data_levels - levels), mean};
}

/// Operands pass between DRAM and PEs once. Those of an image and head are on one accelerator.
PhaseCost activation_gemm(const workload::TrainingNode& node, const Share& share, const Machine& machine) {
  const auto macs = static_cast<double>(node.activation_macs);
  const auto words = static_cast<double>(node.activation_elements);
  return {std::max(macs * share.max / (machine.peak_macs() * machine.utilization),
                   words * share.max * machine.word / machine.dram_bandwidth),
          macs * share.mean, words * share.mean, words * share.mean};
}

}  // namespace

LayerCosts::LayerCosts(const workload::TrainingNetwork& network, const Machine& machine, std::int64_t batch,
                       MacCount count, ComputeModel model, LayerMappings& mappings, Task task)
    : levels_plus_1_(static_cast<std::size_t>(machine.levels) + 1) {
  costs_.resize(network.nodes.size() * levels_plus_1_ * all_phases.size());
  auto cost = costs_.begin();
  for (const workload::TrainingNode& node : network.nodes) {
    const std::int64_t macs = count == MacCount::output_size ? node.macs : node.macs_at_input_size;
    for (int data_levels = 0; data_levels <= machine.levels; ++data_levels, cost += all_phases.size()) {
      const Share share = share_of(batch, data_levels, machine.levels, task);
      if (!node.is_layer()) {
        if (task == Task::inference) cost[0] = activation_gemm(node, share, machine);
        continue;
      }
      const double busy = share.mean / share.max;
      const MappedLayer& mapped =
          mappings.map(unit_layer(node, batch, data_levels, machine.levels - data_levels, machine.units), machine);
      for (std::size_t phase = 0; phase < (task == Task::training ? all_phases.size() : 1); ++phase) {
        const double dram_words = mapped[phase].dram_words;
        const double on_pes = model == ComputeModel::throughput
                                  ? static_cast<double>(macs) * share.max / (machine.peak_macs() * machine.utilization)
                                  : mapped[phase].cycles / machine.clock;
        cost[static_cast<std::ptrdiff_t>(phase)] = {
            std::max(on_pes, dram_words * machine.word / machine.dram_bandwidth),
            static_cast<double>(macs) * share.mean, mapped[phase].sram_words * busy, dram_words * busy};
      }
    }
  }
}

}  // namespace pimsweep::systems::hypar
