#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "hardware/dram/controller.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/pattern.h"
#include "hardware/dram/result.h"

namespace pimsweep::hardware::dram {

/// Channels of a machine whose streams are equal request by request, but for what is drawn (proof: docs/dram.md).
struct EqualStreams {
  std::int64_t channel = 0;   ///< the first of them
  std::int64_t channels = 0;  ///< how many
  std::int64_t requests = 0;  ///< of each; where the channels of requests are drawn, dealt out evenly
  /// Which requests write, up to the number after which that repeats.
  std::bitset<max_mix_cycle> writes;
};

/// The channels that have requests, in such groups.
std::vector<EqualStreams> equal_streams(const Organization& organization, const Traffic& traffic);

/// What each of such channels does, all its requests included.
struct ChannelResult {
  EqualStreams streams;
  Result result;
};

/// The channels of a traffic that have requests: each with a controller of its own. Where something is drawn, each
/// channel is simulated, and stands alone; else one of each group.
std::vector<ChannelResult> simulate_channels(const Dram& dram, const ControllerOptions& options,
                                             const Traffic& traffic);

/// A traffic on all its channels, each with a controller of its own: cycles of the latest channel, all counts summed.
Result simulate_machine(const Dram& dram, const ControllerOptions& options, const Traffic& traffic);

/// The same in closed form (analytic.h), the groups one by one. Where the channels of requests are drawn, the cycles
/// are those of the expected most requests of a channel.
Result estimate_machine(const Dram& dram, const ControllerOptions& options, const Traffic& traffic);

}  // namespace pimsweep::hardware::dram
