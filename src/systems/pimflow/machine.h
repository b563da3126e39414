#pragma once

#include <cstdint>

#include "hardware/gpu/device.h"
#include "hardware/newton/newton.h"

namespace pimsweep::systems::pimflow {

/// Whether GPU and PIM meet at the memory controllers (Sec. 7): what PIM fetches from the GPU's channels takes their
/// time from a GPU kernel beside it. Fetched once for all PIM channels, or by each channel for itself.
enum class Contention : std::uint8_t { none, broadcast, unicast };

/// A GPU whose memory channels are in part Newton PIM (Sec. 4.1).
struct Machine {
  /// With the bandwidth of the channels left to it.
  hardware::gpu::Device gpu;
  hardware::gpu::Precision precision = hardware::gpu::Precision::fp32;
  /// 1x1 convolutions of stride 1 run as the matrix products that they are, not as convolutions.
  bool pointwise_as_product = false;
  hardware::newton::Dram dram;
  hardware::newton::Options pim;
  bool offload_convolutions = true;
  bool offload_fully_connected = true;
  /// Parts of a split tensor lie where the whole would: slices, padding and concatenation cost nothing (Sec. 4.3.2).
  bool memory_optimiser = true;
  Contention contention = Contention::none;
  /// Seconds that each meeting of GPU and PIM takes: the end of a split, and of each step of a pipeline.
  double synchronisation = 0;
};

}  // namespace pimsweep::systems::pimflow
