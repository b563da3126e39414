#pragma once

#include <bitset>
#include <cstdint>
#include <vector>

#include "hardware/dram/controller.h"
#include "hardware/dram/dram.h"
#include "hardware/dram/pattern.h"
#include "hardware/dram/result.h"
#include "hardware/dram/trace.h"

namespace pimsweep::hardware::dram {

/// Channels of a machine whose request streams are equal except for random draws (proof: docs/dram.md).
struct EqualStreams {
  std::int64_t channel = 0;   ///< first channel of the group
  std::int64_t channels = 0;  ///< number of channels
  std::int64_t requests = 0;  ///< requests per channel; the average where the channel of each request is drawn
  /// The requests that write, in one cycle of the mix.
  std::bitset<max_mix_cycle> writes;
};

/// Groups all channels that receive requests by equal streams.
std::vector<EqualStreams> equal_streams(const Organization& organization, const Traffic& traffic);

/// Result of each channel of a group, for all its requests.
struct ChannelResult {
  EqualStreams streams;
  Result result;
};

/// Simulates the channels that receive requests, each with its own controller. Traffic with random draws: every channel
/// is simulated and reported separately; otherwise one channel per group.
std::vector<ChannelResult> simulate_channels(const Dram& dram, const ControllerOptions& options,
                                             const Traffic& traffic);

/// Simulates traffic on all its channels, each with its own controller: cycles of the slowest channel, counts summed.
Result simulate_machine(const Dram& dram, const ControllerOptions& options, const Traffic& traffic);

/// Replays a trace on all its channels, each with its own controller.
Result simulate_trace(const Dram& dram, const ControllerOptions& options, const TraceReplay& replay, TraceLog& log);

/// Closed-form counterpart of simulate_machine() (analytic.h), group by group. Where the channel of each request is
/// drawn, cycles are those of the expected maximum number of requests of a channel.
Result estimate_machine(const Dram& dram, const ControllerOptions& options, const Traffic& traffic);

}  // namespace pimsweep::hardware::dram
