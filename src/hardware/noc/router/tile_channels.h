#pragma once

#include <cstdint>

#include "hardware/noc/router/channel_allocator.h"
#include "hardware/noc/router/tile.h"

// Second stage: allocation of output virtual channels.
namespace pimsweep::hardware::noc::router {

template <typename Capacity>
void Tile<Capacity>::allocate_channels() {
  if (halves_ == 2) {
    allocate_channels_on<true>();
  } else {
    allocate_channels_on<false>();
  }
}

template <typename Capacity>
template <bool halved>
void Tile<Capacity>::allocate_channels_on() {
  const HotState hot = hot_state();
  const unsigned parity = cycle_parity();
  const unsigned later = next_parity();
  std::uint32_t* ready_end = next_ready_outputs_.open_end();
  std::uint32_t* requests_end = channel_requests_[later].open_end();
  for (const std::uint32_t& entry : channel_requests_[parity]) {
    prefetch(&hot.outputs[channel_requests_[parity].ahead(entry)]);
    const std::uint32_t port = entry;
    Output& output = hot.outputs[port];
    const Set ready = output.ready;
    const Set requests = output.channel_requests[parity];
    output.channel_requests[parity] = 0;
    for (unsigned half = 0; half < (halved ? 2 : 1); ++half) {
      const Set in_half = !halved ? requests : half == 0 ? requests & ~output.upper : requests & output.upper;
      const ChannelBits may_use = halved ? allowed(output.number, half) : ~ChannelBits{0};
      const ChannelBits available = output.free & may_use;
      if (halved && in_half == 0) continue;
      if (available == 0) {
        output.blocked |= in_half;
      } else if ((in_half & (in_half - 1)) == 0) {
        allocate_channel(hot, output, in_half, available);
      } else if ((available & (available - 1)) == 0) {
        // One channel for several requests: its pointer decides.
        const Set winner = bit<Set>(first_from(in_half, output.channels[lowest(available)].pointer));
        allocate_channel(hot, output, winner, available);
        output.blocked |= in_half & ~winner;
      } else if (const Set left = resolve_contention(output, in_half, available); left != 0) {
        if ((output.free & may_use) == 0) {
          output.blocked |= left;
        } else {
          *requests_end = port;
          requests_end += output.channel_requests[later] == 0 ? 1 : 0;
          output.channel_requests[later] |= left;
        }
      }
    }
    *ready_end = port;
    // It is unpredictable if the output was ready before, so there is no branch.
    ready_end += static_cast<unsigned>(ready == 0) & static_cast<unsigned>(output.ready != 0);
  }
  channel_requests_[parity].clear();
  channel_requests_[later].open_end() = requests_end;
  next_ready_outputs_.open_end() = ready_end;
}

/// router::allocate_channels() for a single request.
template <typename Capacity>
void Tile<Capacity>::allocate_channel(const HotState& hot, Output& output, Set requests, ChannelBits available) {
  const Shape<Capacity> shape = hot.shape;
  const unsigned member = lowest(requests);
  InputChannel& channel = hot.inputs[output.router_port + shape.port_of(member)].channels[shape.channel_of(member)];
  const unsigned base = shape.member(output.number, 0);
  // A pointer to a member outside the output's channels counts as the first of them.
  const auto from_pointer = static_cast<ChannelBits>((~Set{0} << channel.pointer) >> base);
  const unsigned v = first_preferred(available, from_pointer);
  channel.pointer = behind(base + v, shape.members());
  channel.output_channel = static_cast<std::uint8_t>(v);
  OutputChannel& given = output.channels[v];
  given.pointer = behind(member, shape.members());
  given.owner = static_cast<std::uint8_t>(member);
  output.free = static_cast<typename Capacity::Channels>(output.free & ~bit<ChannelBits>(v));
  if (given.credits != 0) output.ready |= requests;
}

/// router::allocate_channels() for several requests and channels. Returns the requests that are left.
template <typename Capacity>
typename Tile<Capacity>::Set Tile<Capacity>::resolve_contention(Output& output, Set requests, ChannelBits available) {
  const Shape<Capacity> shape = shape_;
  const unsigned base = shape.member(output.number, 0);
  Input* const inputs = &inputs_[output.router_port];
  Set left = requests;
  router::allocate_channels(
      requests, {base, shape.virtual_channels(), available}, shape.members(), settings_.allocator, settings_.iterations,
      InputChannels{shape, inputs}, OutputChannels{&output, base}, [&](unsigned member, unsigned v) {
        InputChannel& channel = inputs[shape.port_of(member)].channels[shape.channel_of(member)];
        channel.output_channel = static_cast<std::uint8_t>(v);
        output.channels[v].owner = static_cast<std::uint8_t>(member);
        output.free = static_cast<typename Capacity::Channels>(output.free & ~bit<ChannelBits>(v));
        left &= ~bit<Set>(member);
        if (output.channels[v].credits != 0) output.ready |= bit<Set>(member);
      });
  return left;
}

}  // namespace pimsweep::hardware::noc::router
