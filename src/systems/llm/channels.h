#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/words.h"

namespace pimsweep::systems::llm {

/// How requests come to the channels of PIM that hold their keys and values: in turn, by NeuPIMs' rule (longest first,
/// each to the channel of least load), or so that the most loaded channel has as little as can be found.
enum class ChannelAssignment : std::uint8_t { round_robin, greedy, optimal };
inline constexpr Words<ChannelAssignment, 3> channel_assignment_words{{{"round-robin", ChannelAssignment::round_robin},
                                                                       {"greedy", ChannelAssignment::greedy},
                                                                       {"optimal", ChannelAssignment::optimal}}};

/// Requests on channels.
struct ChannelPlan {
  /// Channel of each request.
  std::vector<std::int32_t> channels;
  /// Load of the most loaded channel, and what no assignment can be below.
  double load = 0;
  double lower_bound = 0;
};

/// Assigns requests of these loads to `count` channels. NeuPIMs (ASPLOS 2024), Algorithm 2, is `greedy`: of equal
/// requests and of equally loaded channels the first comes first. The plan keeps its memory.
void assign_channels(ChannelAssignment assignment, std::span<const double> loads, std::int64_t count,
                     ChannelPlan& plan);

/// Divides requests into two batches of about equal loads on each channel: NeuPIMs (ASPLOS 2024), Algorithm 3. Of the
/// requests of a channel, in their order, the first half is in the first batch; halves of odd numbers are rounded up
/// and down in turn, beginning with up. Sets `is_second` of each request.
void halve_channels(std::span<const std::int32_t> channels, std::int64_t count, std::vector<bool>& is_second);

}  // namespace pimsweep::systems::llm
