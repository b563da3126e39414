#include "hardware/gpu/network/inference.h"

#include <algorithm>

namespace pimsweep::hardware::gpu::network {

Inference run(const Network& network, const NetworkKernels& kernels, const Device& device, Launches launches) {
  Inference inference;
  const auto add = [&](const Node& node, bool activation, const KernelCost& cost) {
    const double launch = std::min(cost.seconds, cost.launches * device.launch);
    inference.launching += launch;
    inference.working += cost.seconds - launch;
    const Energy energy = kernels.energy(cost);
    inference.energy.math += energy.math;
    inference.energy.cache += energy.cache;
    inference.energy.memory += energy.memory;
    inference.kernels.push_back({&node, activation, cost});
  };
  for (const Node& node : network) {
    add(node, false, kernels.whole(node));
    if (node.activations > 0) add(node, true, kernels.activations(node));
  }
  inference.seconds = launches == Launches::exposed ? inference.launching + inference.working
                                                    : std::max(inference.launching, inference.working);
  inference.energy.idle = device.idle_power * inference.seconds;
  return inference;
}

}  // namespace pimsweep::hardware::gpu::network
