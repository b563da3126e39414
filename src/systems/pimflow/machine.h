#pragma once

#include <cstdint>

#include "hardware/gpu/device.h"
#include "hardware/newton/newton.h"

namespace pimsweep::systems::pimflow {

/// Memory time that PIM's fetches from the GPU's channels take from a concurrent GPU kernel (Sec. 7): none, or that of
/// fetching each value once for all PIM channels, or once for each of them.
enum class Contention : std::uint8_t { none, broadcast, unicast };

/// Layers that may run on PIM.
struct Offload {
  bool convolutions = true;
  bool fully_connected = true;

  friend bool operator==(const Offload&, const Offload&) = default;
};

/// A GPU some of whose memory channels are Newton PIM (Sec. 4.1).
struct Machine {
  /// Has the bandwidth of the channels left to the GPU.
  hardware::gpu::Device gpu;
  hardware::gpu::Precision precision = hardware::gpu::Precision::fp32;
  /// True if bias and activation function are a kernel of their own after each layer with weights. On PIM they are
  /// free.
  bool bias_kernels = false;
  /// True if 1x1 convolutions of stride 1 run as GEMMs, not as convolutions.
  bool pointwise_as_gemm = false;
  hardware::newton::Dram dram;
  hardware::newton::Options pim;
  Offload offload;
  /// Fully connected layers run on PIM, even where the GPU is faster.
  bool fully_connected_on_pim = false;
  /// Parts of a split tensor lie where the whole would: slices, padding and concatenation cost nothing (Sec. 4.3.2).
  bool memory_optimizer = true;
  Contention contention = Contention::none;
  /// Seconds of a synchronization of GPU and PIM, at the end of a split and of each step of a pipeline.
  double synchronization = 0;

  friend bool operator==(const Machine&, const Machine&) = default;
};

}  // namespace pimsweep::systems::pimflow
