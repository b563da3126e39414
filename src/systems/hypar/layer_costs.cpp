#include "systems/hypar/layer_costs.h"

#include <algorithm>

namespace pimsweep::hypar {

LayerCosts::LayerCosts(const workload::TrainingNetwork& network, const Machine& machine, std::int64_t batch,
                       MacCount count, ComputeModel model, LayerMappings& mappings)
    : levels_plus_1_(static_cast<std::size_t>(machine.levels) + 1) {
  const double batch_share = static_cast<double>(batch) / static_cast<double>(machine.accelerators());
  costs_.resize(network.nodes.size() * levels_plus_1_ * kPhases.size());
  auto cost = costs_.begin();
  for (const workload::TrainingNode& node : network.nodes) {
    if (!node.is_layer()) {
      cost += static_cast<std::ptrdiff_t>(levels_plus_1_ * kPhases.size());
      continue;
    }
    const std::int64_t macs = count == MacCount::output_size ? node.macs : node.macs_at_input_size;
    for (int data_levels = 0; data_levels <= machine.levels; ++data_levels) {
      const MappedLayer& mapped =
          mappings.map(unit_layer(node, batch, data_levels, machine.levels - data_levels, machine.units), machine);
      for (const MappedPhase& phase : mapped) {
        cost->macs = static_cast<double>(macs) * batch_share;
        cost->sram_words = phase.sram_words;
        cost->dram_words = phase.dram_words;
        const double on_pes = model == ComputeModel::throughput
                                  ? cost->macs / (machine.peak_macs() * machine.utilization)
                                  : phase.cycles / machine.clock;
        cost->seconds = std::max(on_pes, phase.dram_words * machine.word / machine.dram_bandwidth);
        ++cost;
      }
    }
  }
}

}  // namespace pimsweep::hypar
