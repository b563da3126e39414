#include "hardware/gpu/network/inference.h"

#include <algorithm>

#include "hardware/gpu/network/queue.h"

namespace pimsweep::hardware::gpu::network {

namespace {

/// A kernel for each node and for each activation function after one.
std::vector<InferenceKernel> kernels_alone(const Network& network, const NetworkKernels& kernels) {
  std::vector<InferenceKernel> all;
  // Kernels stay where they are while others are copied from them.
  all.reserve(2 * network.size());
  std::vector<std::size_t> places;
  for (const Node& node : network) {
    places.push_back(all.size());
    const InferenceKernel* known = node.repeats ? &all[places[*node.repeats]] : nullptr;
    all.push_back({&node, false, known != nullptr ? known[0].cost : kernels.whole(node)});
    if (node.activations > 0)
      all.push_back({&node, true, known != nullptr ? known[1].cost : kernels.activations(node)});
  }
  return all;
}

/// From the kernel with the least work to the one with the fewest launches.
Alternatives alternatives(const Node& node, const NetworkKernels& kernels) {
  Alternatives all{kernels.whole(node, {.launches_queued = true})};
  while (true) {
    const KernelCost fewer = kernels.whole(node, {.launches_queued = true, .max_launches = all.back().launches - 1});
    if (fewer.launches >= all.back().launches) return all;
    // Launches that save no work serve nothing.
    if (fewer.work_seconds <= all.back().work_seconds) all.pop_back();
    all.push_back(fewer);
  }
}

/// Replaces kernels of nodes by those that make the queue of all the shortest.
void choose_for_queue(std::vector<InferenceKernel>& all, const NetworkKernels& kernels, double launch) {
  std::vector<Alternatives> pieces;
  pieces.reserve(all.size());
  // Of the kernels of nodes.
  std::vector<std::size_t> places;
  for (const InferenceKernel& kernel : all) {
    if (kernel.activation) {
      pieces.push_back({kernel.cost});
      continue;
    }
    places.push_back(pieces.size());
    const std::optional<std::size_t>& known = kernel.node->repeats;
    pieces.push_back(known ? pieces[places[*known]] : alternatives(*kernel.node, kernels));
  }
  const std::vector<std::size_t> chosen = shortest_queue(pieces, launch);
  for (std::size_t i = 0; i < all.size(); ++i) all[i].cost = pieces[i][chosen[i]];
}

}  // namespace

Inference run(const Network& network, const NetworkKernels& kernels, const Device& device, Launches launches) {
  Inference inference;
  inference.kernels = kernels_alone(network, kernels);
  if (launches == Launches::queued) choose_for_queue(inference.kernels, kernels, device.launch);
  for (const InferenceKernel& kernel : inference.kernels) {
    inference.launching += kernel.cost.launches * device.launch;
    inference.working += kernel.cost.work_seconds;
    inference.seconds += kernel.cost.seconds;
    const Energy energy = kernels.energy(kernel.cost);
    inference.energy.math += energy.math;
    inference.energy.cache += energy.cache;
    inference.energy.memory += energy.memory;
  }
  if (launches == Launches::queued) inference.seconds = std::max(inference.launching, inference.working);
  inference.energy.idle = device.idle_power * inference.seconds;
  return inference;
}

}  // namespace pimsweep::hardware::gpu::network
