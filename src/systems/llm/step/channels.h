#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/words.h"

namespace pimsweep::systems::llm::step {

/// Assignment of sequences to the channels of PIM that hold their KV caches: round robin, by NeuPIMs' rule (longest
/// first, each to the least loaded channel), or with the smallest maximum load that can be found.
enum class ChannelAssignment : std::uint8_t { round_robin, greedy, optimal };
inline constexpr Words<ChannelAssignment, 3> channel_assignment_words{{{"round-robin", ChannelAssignment::round_robin},
                                                                       {"greedy", ChannelAssignment::greedy},
                                                                       {"optimal", ChannelAssignment::optimal}}};

/// Sets the channel of each sequence with these loads, out of `count` channels. NeuPIMs (ASPLOS 2024), Algorithm 2, is
/// `greedy`: of equal sequences and of equally loaded channels the first comes first.
void assign_channels(ChannelAssignment assignment, std::span<const double> loads, std::int64_t count,
                     std::vector<std::int32_t>& channels);

/// Load of the most loaded of `count` channels.
double largest_load(std::span<const double> loads, std::span<const std::int32_t> channels, std::int64_t count);

/// Divides sequences into two batches of about equal loads on each channel: NeuPIMs (ASPLOS 2024), Algorithm 3. Of the
/// sequences of a channel, in their order, the first half is in the first batch; halves of odd numbers are rounded up
/// and down alternately, beginning with up. Sets `is_second` of each sequence.
void halve_channels(std::span<const std::int32_t> channels, std::int64_t count, std::vector<bool>& is_second);

}  // namespace pimsweep::systems::llm::step
