#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/bounded_cache.h"
#include "hardware/pe_array/convolution.h"
#include "systems/hypar/machine.h"
#include "workload/training_network.h"

namespace pimsweep::systems::hypar {

/// The three GEMMs of a training step (Eqs. 1 to 3).
enum class Phase : std::uint8_t { forward, error, gradient };
inline constexpr std::array all_phases{Phase::forward, Phase::error, Phase::gradient};

/// Cost of a layer's GEMM on all processing units of an accelerator under the row-stationary mapping.
struct MappedPhase {
  /// Cycles of the slowest unit.
  double cycles = 0;
  /// Words accessed in the buffers of all units, and in DRAM.
  double sram_words = 0;
  double dram_words = 0;
};
using MappedLayer = std::array<MappedPhase, all_phases.size()>;

/// The part of a layer that one unit computes after dp has halved the batch `data_levels` times, mp has halved the
/// input channels `model_levels` times, and the units of an accelerator have divided images and output channels among
/// them. Parts are rounded up to whole images and channels.
hardware::pe_array::ConvolutionLayer unit_layer(const workload::TrainingNode& layer, std::int64_t batch,
                                                int data_levels, int model_levels, std::int64_t units);

/// Mappings by layer, kept from point to point as long as the processing unit is the same.
class LayerMappings {
 public:
  const MappedLayer& map(const hardware::pe_array::ConvolutionLayer& layer, const Machine& machine);

 private:
  struct Unit {
    std::int64_t units = 0, rows = 0, cols = 0, buffer = 0, input = 0, filter = 0, psum = 0;
    friend bool operator==(const Unit&, const Unit&) = default;
  };
  using Key = std::array<std::int64_t, 11>;
  /// Bounds the memory of a long sweep; a network needs a few hundred parts of layers.
  static constexpr std::size_t max_mappings = 1U << 16;

  /// Throws PointError for a layer that does not fit the unit.
  static MappedLayer mapped(const hardware::pe_array::ConvolutionLayer& layer, const Unit& unit);

  Unit unit_;
  BoundedCache<Key, MappedLayer> mappings_{max_mappings};
};

}  // namespace pimsweep::systems::hypar
