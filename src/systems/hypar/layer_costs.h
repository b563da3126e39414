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

/// How multiply-accumulates of a convolution are counted: at its output positions, or at its input's (which is what the
/// published performance needs; the two differ where a convolution shrinks its map).
enum class MacCount : std::uint8_t { output_size, input_size };

/// How the time of a product on an accelerator is found.
enum class ComputeModel : std::uint8_t {
  throughput,      ///< multiply-accumulates over peak rate and utilisation
  row_stationary,  ///< cycles of the row-stationary mapping
};

/// What one phase of one layer takes on one accelerator.
struct PhaseCost {
  /// The larger of the time on the PEs and the time on the DRAM.
  double seconds = 0;
  double macs = 0;
  /// Words of SRAM and DRAM accessed.
  double sram_words = 0;
  double dram_words = 0;
};

/// Costs of every layer on an accelerator; of inference the forward phase alone, with products of two activations, and
/// with whole images: where a batch has fewer than the accelerators among which it is shared, some have none. Accesses
/// of SRAM and DRAM are those of the row-stationary mapping in either model. They depend on the state only by its
/// number of dp levels: dp halves the batch, mp the input channels, and every level halves the work.
class LayerCosts {
 public:
  LayerCosts(const workload::TrainingNetwork& network, const Machine& machine, std::int64_t batch, MacCount macs,
             ComputeModel model, LayerMappings& mappings, Task task = Task::training);

  const PhaseCost& cost(std::size_t node, search::State state, Phase phase) const {
    return costs_[(node * levels_plus_1_ + data_levels(state)) * kPhases.size() + static_cast<std::size_t>(phase)];
  }
  /// Seconds of all three phases.
  double seconds(std::size_t node, search::State state) const {
    double sum = 0;
    for (const Phase phase : kPhases) sum += cost(node, state, phase).seconds;
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
