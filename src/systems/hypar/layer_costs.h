#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "systems/hypar/communication.h"
#include "systems/hypar/layer_mapping.h"
#include "systems/hypar/machine.h"
#include "systems/hypar/search/parallelism.h"
#include "workload/training_network.h"

namespace pimsweep::systems::hypar {

/// Positions at which the multiply-accumulates of a convolution are counted: those of its output, or those of its
/// input, which the published performance needs. The two differ where a convolution shrinks its feature map.
enum class MacCount : std::uint8_t { output_size, input_size };

/// Model of the time of a GEMM on an accelerator.
enum class ComputeModel : std::uint8_t {
  throughput,      ///< multiply-accumulates over peak rate and utilization
  row_stationary,  ///< cycles of the row-stationary mapping
};

/// Time, work and memory accesses of one phase of one layer on one accelerator.
struct PhaseCost {
  /// The larger of the time on the PEs and the time on the DRAM.
  double seconds = 0;
  double macs = 0;
  /// Words of SRAM and DRAM accessed.
  double sram_words = 0;
  double dram_words = 0;
};

/// Costs of every layer on an accelerator. Inference has only the forward phase, includes GEMMs of two activations,
/// and does not divide images: where a batch has fewer images than there are accelerators to share it, some are idle.
/// SRAM and DRAM accesses come from the row-stationary mapping in both compute models. Costs depend on the state only
/// through its number of dp levels: dp halves the batch, mp the input channels, and every level halves the work.
class LayerCosts {
 public:
  LayerCosts(const workload::TrainingNetwork& network, const Machine& machine, std::int64_t batch, MacCount macs,
             ComputeModel model, LayerMappings& mappings, Task task = Task::training);

  const PhaseCost& cost(std::size_t node, search::State state, Phase phase) const {
    return costs_[(node * levels_plus_1_ + data_levels(state)) * all_phases.size() + static_cast<std::size_t>(phase)];
  }
  /// Seconds of all three phases.
  double seconds(std::size_t node, search::State state) const {
    double sum = 0;
    for (const Phase phase : all_phases) sum += cost(node, state, phase).seconds;
    return sum;
  }

 private:
  std::size_t data_levels(search::State state) const {
    return levels_plus_1_ - 1 - static_cast<std::size_t>(std::popcount(state));
  }

  std::size_t levels_plus_1_;
  std::vector<PhaseCost> costs_;
};

}  // namespace pimsweep::systems::hypar
