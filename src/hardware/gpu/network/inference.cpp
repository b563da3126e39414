#include "hardware/gpu/network/inference.h"

#include <algorithm>

#include "hardware/gpu/network/queue.h"

namespace pimsweep::hardware::gpu::network {

namespace {

/// A kernel for each node and for each activation function after one.
std::vector<InferenceKernel> kernels_alone(const Network& network, const NetworkKernels& kernels) {
  std::vector<InferenceKernel> all;
  all.reserve(network.size());
  std::vector<KernelCost> whole;
  whole.reserve(network.size());
  for (const Node& node : network) {
    whole.push_back(node.repeats ? whole[*node.repeats] : kernels.whole(node));
    all.push_back({&node, false, whole.back()});
    if (node.activations > 0) all.push_back({&node, true, kernels.activations(node)});
  }
  return all;
}

/// From the kernel with the least work to the one with the fewest launches.
Alternatives alternatives(const Node& node, const NetworkKernels& kernels) {
  Alternatives all{kernels.whole(node, {.launches_queued = true})};
  while (true) {
    const KernelCost fewer = kernels.whole(node, {.launches_queued = true, .max_launches = all.back().launches - 1});
    if (fewer.launches >= all.back().launches) return all;
    // A kernel with more launches but no less work is never chosen.
    if (fewer.work_seconds <= all.back().work_seconds) all.pop_back();
    all.push_back(fewer);
  }
}

/// Replaces the kernels of nodes by those that minimize the time of the whole queue.
void choose_for_queue(std::vector<InferenceKernel>& all, const NetworkKernels& kernels, double launch) {
  std::vector<Alternatives> pieces;
  pieces.reserve(all.size());
  std::vector<Alternatives> of_nodes;
  for (const InferenceKernel& kernel : all) {
    if (kernel.activation) {
      pieces.push_back({kernel.cost});
      continue;
    }
    const std::optional<std::size_t>& known = kernel.node->repeats;
    of_nodes.push_back(known ? of_nodes[*known] : alternatives(*kernel.node, kernels));
    pieces.push_back(of_nodes.back());
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
