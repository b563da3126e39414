#include "systems/hypar/layer_costs.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::hypar {

namespace {

/// What an accelerator works on after `data_levels` of all levels have halved the batch and the others the channels.
struct Share {
  double batch = 0;
  double channels = 0;
};

/// Each operand once, in words: the least that DRAM has to give and take. In the error product E_{l+1} and W give E_l;
/// the gradient product is followed by the update, which reads the old weights and writes the new.
double least_dram_words(const workload::TrainingNode& layer, const Share& share, Phase phase) {
  const double weights = static_cast<double>(layer.weights) * share.channels;
  const double input = static_cast<double>(layer.input) * share.batch * share.channels;
  const double output = static_cast<double>(layer.product_output) * share.batch;
  return phase == Phase::gradient ? input + output + 2 * weights : input + output + weights;
}

}  // namespace

LayerCosts::LayerCosts(const workload::TrainingNetwork& network, const Machine& machine, std::int64_t batch,
                       MacCount count, ComputeModel /*model*/)
    : levels_plus_1_(static_cast<std::size_t>(machine.levels) + 1) {
  const auto accelerators = static_cast<double>(machine.accelerators());
  for (const workload::TrainingNode& node : network.nodes) {
    for (int data_levels = 0; data_levels <= machine.levels; ++data_levels) {
      const Share share{static_cast<double>(batch) * std::ldexp(1.0, -data_levels),
                        std::ldexp(1.0, data_levels - machine.levels)};
      for (const Phase phase : kPhases) {
        PhaseCost cost;
        if (node.is_layer()) {
          const std::int64_t macs = count == MacCount::output_size ? node.macs : node.macs_at_input_size;
          cost.macs = static_cast<double>(macs) * static_cast<double>(batch) / accelerators;
          cost.dram_words = least_dram_words(node, share, phase);
          cost.seconds = std::max(cost.macs / (machine.peak_macs() * machine.utilization),
                                  cost.dram_words * machine.word / machine.dram_bandwidth);
        }
        costs_.push_back(cost);
      }
    }
  }
}

}  // namespace pimsweep::hypar
