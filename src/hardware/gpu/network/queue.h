#pragma once

#include <cstddef>
#include <vector>

#include "hardware/gpu/kernel_cost.h"

namespace pimsweep::hardware::gpu::network {

/// The candidate kernels for one piece of work: each has more work and fewer launches than the previous one.
using Alternatives = std::vector<KernelCost>;

/// Chooses a kernel for each piece so that the whole queue takes the least time, and returns their indices. A queue
/// takes as long as all launches or all work, whichever is longer; `launch` is the time of one launch.
///
/// The choice is exact, so that a faster GPU is never slower: if each kernel were chosen separately, more bandwidth
/// might select a kernel with less work but more launches, and launches may be what limits the queue.
std::vector<std::size_t> shortest_queue(const std::vector<Alternatives>& pieces, double launch);

}  // namespace pimsweep::hardware::gpu::network
