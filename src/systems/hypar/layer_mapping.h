#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "hardware/pe_array/convolution.h"
#include "systems/hypar/machine.h"
#include "workload/training_network.h"

namespace pimsweep::systems::hypar {

/// The three products of a training step (Eqs. 1 to 3).
enum class Phase : std::uint8_t { forward, error, gradient };
inline constexpr std::array kPhases{Phase::forward, Phase::error, Phase::gradient};

/// What a layer's product takes on all processing units of an accelerator, mapped row-stationary.
struct MappedPhase {
  /// Of the slowest unit's PEs.
  double cycles = 0;
  /// Words of all units' buffers and of DRAM.
  double sram_words = 0;
  double dram_words = 0;
};
using MappedLayer = std::array<MappedPhase, kPhases.size()>;

/// What one unit works on when dp has halved the layer's batch `data_levels` times, mp its input channels
/// `model_levels` times, and the units of an accelerator share the images and the output channels of what is left.
/// Parts are rounded up to whole images and channels.
hardware::pe_array::ConvolutionLayer unit_layer(const workload::TrainingNode& layer, std::int64_t batch,
                                                int data_levels, int model_levels, std::int64_t units);

/// Mappings by layer, kept from point to point for one kind of processing unit.
class LayerMappings {
 public:
  const MappedLayer& map(const hardware::pe_array::ConvolutionLayer& layer, const Machine& machine);

 private:
  struct Unit {
    std::int64_t units = 0, rows = 0, cols = 0, buffer = 0, input = 0, filter = 0, psum = 0;
    friend bool operator==(const Unit&, const Unit&) = default;
  };
  using Key = std::array<std::int64_t, 11>;
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };

  Unit unit_;
  std::unordered_map<Key, MappedLayer, KeyHash> mappings_;
};

}  // namespace pimsweep::systems::hypar
