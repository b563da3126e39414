#pragma once

#include <cstdint>
#include <vector>

#include "hardware/gpu/network/kernels.h"

namespace pimsweep::hardware::gpu::network {

/// Contribution of launch times to the total.
enum class Launches : std::uint8_t {
  /// The host queues kernels ahead of the GPU: the longer of all launches and all work counts.
  queued,
  /// The host waits for each kernel.
  exposed,
};

/// A kernel of a network, or the activation function after it.
struct InferenceKernel {
  const Node* node = nullptr;
  bool activation = false;
  KernelCost cost;
};

/// A network run kernel after kernel.
struct Inference {
  std::vector<InferenceKernel> kernels;
  /// Launches and work of all kernels, in seconds.
  double launching = 0;
  double working = 0;
  double seconds = 0;
  /// Energy over `seconds`, including idle power.
  Energy energy;
};

Inference run(const Network& network, const NetworkKernels& kernels, const Device& device, Launches launches);

}  // namespace pimsweep::hardware::gpu::network
