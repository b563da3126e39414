#pragma once

#include <array>
#include <cstdint>

namespace pimsweep::noc {

/// Virtual channels of one port.
using ChannelBits = std::uint32_t;

/// Packet number x 2, + 1 for the last flit.
using Flit = std::uint32_t;

/// What a route depends on, apart from the other facts about a packet: few bytes, as every router reads them.
struct Way {
  std::uint32_t destination;
  std::uint32_t tie_up;
};

/// Where a link leads to: the first of the far port's channels; from a node's port back to the node, channel 0.
struct Link {
  std::uint32_t router = 0;
  std::uint32_t channel = 0;
};

struct FlitEvent {
  std::uint32_t router;
  std::uint32_t channel;
  Flit flit;
};

struct CreditEvent {
  std::uint32_t router;
  std::uint32_t channel;
};

/// idle: no packet; heading: its head looks for a route and an output channel; active: it has them.
enum class ChannelState : std::uint8_t { idle, heading, active };

/// An input virtual channel. A packet has it until its last flit leaves.
struct InputChannel {
  std::uint16_t front = 0;
  std::uint16_t count = 0;
  std::uint16_t output = 0;
  /// Among the virtual channels of the output.
  std::uint16_t output_channel = 0;
  ChannelState state = ChannelState::idle;
  /// Of the output's virtual channels: that from which the packet may have one.
  std::uint8_t half = 0;
  /// Of channel allocation.
  std::uint16_t pointer = 0;
};

struct OutputChannel {
  std::uint16_t credits;
  /// The input channel that has it.
  std::uint16_t owner = 0;
  /// Of channel allocation.
  std::uint16_t pointer = 0;
};

struct InputPort {
  /// Channels with an output channel, a flit and a credit.
  ChannelBits ready = 0;
  Link upstream;
  /// Where the port begins to look for a channel that asks for the switch.
  std::uint16_t first_choice = 0;
  /// Of switch allocation.
  std::uint16_t pointer = 0;
};

/// `Set` holds the virtual channels of a router: number = port x virtual channels + virtual channel, on either side.
template <typename Set>
struct OutputPort {
  /// Channels that no packet has, and those with a credit.
  ChannelBits free = 0;
  ChannelBits with_credit = 0;
  /// Input channels whose head asks for a channel of the lower and of the upper half.
  std::array<Set, 2> asking{};
  Link downstream;
  /// Of switch allocation.
  std::uint16_t pointer = 0;
};

template <typename Set>
struct Router {
  /// Heads that wait for their route, and those whose route is being computed until `route_end`.
  Set route_waiting = 0;
  Set routing = 0;
  std::uint64_t route_end = 0;
  /// Input channels whose head asks for an output channel, and the outputs that they ask for.
  Set asking = 0;
  std::uint64_t asked_outputs = 0;
  /// Inputs with a ready channel.
  std::uint64_t ready_inputs = 0;
  /// Switch traversal takes flits in batches: when the latest one, let in or yet to be, is through.
  std::uint64_t batch_end = 0;
};

/// Where a node's packets start.
struct Source {
  static constexpr std::uint32_t none = ~0U;

  /// The first channel of its port.
  Link entry;
  std::uint32_t packet = none;
  std::uint32_t sent = 0;
  std::uint16_t channel = 0;
  /// Where the next packet begins to look for a channel.
  std::uint16_t pointer = 0;
  ChannelBits with_credit = 0;
};

}  // namespace pimsweep::noc
