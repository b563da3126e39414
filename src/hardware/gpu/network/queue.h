#pragma once

#include <cstddef>
#include <vector>

#include "hardware/gpu/kernel_cost.h"

namespace pimsweep::hardware::gpu::network {

/// The kernels that may do one piece of work: each has more work and fewer launches than the one before.
using Alternatives = std::vector<KernelCost>;

/// Chooses a kernel of each piece such that the queue of all is the shortest, and returns their indices. A queue takes
/// as long as all launches or all work, whichever is longer; `launch` is the time of one launch.
///
/// The choice is exact, so that no faster card is slower: with a choice of each kernel by itself, more bandwidth may
/// turn a kernel into one with less work but more launches, and these may be what the queue waits for.
std::vector<std::size_t> shortest_queue(const std::vector<Alternatives>& pieces, double launch);

}  // namespace pimsweep::hardware::gpu::network
