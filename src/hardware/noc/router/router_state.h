#pragma once

#include <array>
#include <cstdint>

#include "hardware/noc/router/bits.h"
#include "hardware/noc/router/router_settings.h"

namespace pimsweep::hardware::noc::router {

/// Virtual channels of one port.
using ChannelBits = std::uint32_t;

/// A flit, with what routers need to know about its packet.
struct Flit {
  std::uint32_t packet;
  std::uint16_t destination;
  std::uint16_t tie_up : 15;
  std::uint16_t last : 1;
};
static_assert(sizeof(Flit) == 8 && max_nodes <= 1U << 16 && max_dimensions <= 15);

/// Far end of a link: the first of the far port's channels; for a node's port, channel 0 of the node.
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

/// A head whose route is known.
struct RoutedHead {
  std::uint32_t router;
  std::uint16_t channel;
  std::uint8_t output;
  /// Half of the output's virtual channels that the packet may use.
  std::uint8_t half;
};

/// idle: no packet; heading: its head waits for a route and an output channel; active: it has them.
enum class ChannelState : std::uint8_t { idle, heading, active };

/// An input virtual channel. A packet holds it until its last flit leaves.
struct InputChannel {
  std::uint16_t front = 0;
  std::uint16_t count = 0;
  std::uint8_t output = 0;
  /// Index among the virtual channels of the output.
  std::uint8_t output_channel = 0;
  ChannelState state = ChannelState::idle;
  /// Half of the output's virtual channels that the packet may use.
  std::uint8_t half = 0;
  /// Pointer of channel allocation.
  std::uint16_t pointer = 0;
};

struct OutputChannel {
  std::uint16_t credits = 0;
  /// The input channel that holds it.
  std::uint16_t owner = 0;
  /// Pointer of channel allocation.
  std::uint16_t pointer = 0;
};

struct InputPort {
  /// Channels with an output channel, a flit and a credit.
  ChannelBits ready = 0;
  Link upstream;
  /// Where the port's search for a channel that requests the switch begins.
  std::uint16_t first_choice = 0;
  /// Pointer of switch allocation.
  std::uint16_t pointer = 0;
};

/// `Set` holds the virtual channels of a router: number = port x virtual channels + virtual channel, on either side.
template <typename Set>
struct OutputPort {
  /// Channels that no packet holds, and those with a credit.
  ChannelBits free = 0;
  ChannelBits with_credit = 0;
  /// Input channels whose head requests a channel of the lower and of the upper half.
  std::array<Set, 2> asking{};
  Link downstream;
  /// Pointer of switch allocation.
  std::uint16_t pointer = 0;
};

/// Capacity of a router in ports and channels; `Exact`: it has exactly as many, which the compiler can use.
template <typename Set_, unsigned Ports, unsigned Channels, bool Exact>
struct Room {
  using Set = Set_;
  static constexpr unsigned ports = Ports;
  static constexpr unsigned channels = Channels;
  static constexpr bool exact = Exact;
};

/// Two-dimensional routers with a common number of channels, most others, and all.
using TwoChannelPlane = Room<std::uint64_t, 5, 10, true>;
using FourChannelPlane = Room<std::uint64_t, 5, 20, true>;
using SixteenChannelPlane = Room<WideBits, 5, 80, true>;
using SmallRoom = Room<std::uint64_t, 16, 64, false>;
using LargeRoom = Room<WideBits, max_ports, max_router_channels, false>;

/// State of one router, contiguous in memory because it is used together.
template <typename Room>
struct Router {
  using Set = typename Room::Set;

  /// Inputs with a ready channel.
  std::uint64_t ready_inputs = 0;
  /// Input channels whose head requests an output channel, and the outputs that they request.
  Set asking = 0;
  std::uint64_t asked_outputs = 0;
  /// Heads that wait for their route, and those whose route is being computed until `route_end`.
  Set route_waiting = 0;
  Set routing = 0;
  std::uint64_t route_end = 0;
  /// Switch traversal takes flits in batches: when the latest one, admitted or not, ends.
  std::uint64_t batch_end = 0;
  std::array<OutputPort<Set>, Room::ports> output_ports;
  std::array<InputPort, Room::ports> input_ports;
  std::array<InputChannel, Room::channels> inputs;
  std::array<OutputChannel, Room::channels> outputs;
};

/// Source of a node's packets.
struct Source {
  static constexpr std::uint32_t none = ~0U;

  Link entry;
  std::uint32_t packet = none;
  std::uint32_t sent = 0;
  std::uint16_t channel = 0;
  /// Where the next packet's search for a channel begins.
  std::uint16_t pointer = 0;
  ChannelBits with_credit = 0;
};

}  // namespace pimsweep::hardware::noc::router
