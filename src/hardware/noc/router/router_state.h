#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "hardware/noc/router/bits.h"
#include "hardware/noc/router/router_settings.h"

namespace pimsweep::hardware::noc::router {

/// A set of virtual channels of one port.
using ChannelBits = std::uint32_t;

/// Number of a virtual channel on one side of a tile's routers: port of the tile x 32 + virtual channel. For a source:
/// node of the tile x 32 + virtual channel.
using ChannelNumber = std::uint32_t;

inline constexpr unsigned channel_number_bits = 5;
static_assert(max_virtual_channels <= 1U << channel_number_bits);

inline std::uint32_t port_of_channel(ChannelNumber channel) { return channel >> channel_number_bits; }
inline unsigned virtual_channel_of(ChannelNumber channel) { return channel & ((1U << channel_number_bits) - 1); }
inline ChannelNumber channel_number(std::uint32_t port, unsigned virtual_channel) {
  return (port << channel_number_bits) | virtual_channel;
}

/// Number of a packet in flight: tile of its source x 2^24 + slot in the pool of that tile.
inline constexpr unsigned tile_shift = 24;
inline constexpr std::uint32_t place_mask = (1U << tile_shift) - 1;
inline constexpr unsigned max_tiles = 1U << (32 - tile_shift);

/// A flit, with the data about its packet that routers need.
struct alignas(8) Flit {
  std::uint32_t packet;
  std::uint16_t destination;
  std::uint16_t tie_up : 15;
  std::uint16_t last : 1;
};
static_assert(sizeof(Flit) == 8 && max_nodes <= 1U << 16 && max_dimensions <= 15);

/// A flit on a link; for a node, with the output channel that it came from.
struct FlitEvent {
  Flit flit;
  ChannelNumber channel;
};

/// An input virtual channel. A packet holds it until its last flit leaves.
struct InputChannel {
  static constexpr std::uint8_t none = 0xff;

  std::uint16_t front = 0;
  std::uint16_t count = 0;
  std::uint8_t output = 0;
  /// Index among the virtual channels of the output; `none` if no packet has one.
  std::uint8_t output_channel = none;
  /// Pointer for channel allocation.
  std::uint8_t pointer = 0;
};

struct OutputChannel {
  std::uint16_t credits = 0;
  /// The input channel that holds it, and the pointer for channel allocation, as members of the router.
  std::uint8_t owner = 0;
  std::uint8_t pointer = 0;
};
static_assert(max_router_channels <= 1U << 8);

/// Capacity of a router in ports and virtual channels. `Exact`: all routers have exactly as many, as compile-time
/// constants. `Set_` holds the virtual channels of a router on either side, its members: port x virtual channels +
/// virtual channel. `PortSet_` holds ports.
template <typename Set_, typename PortSet_, unsigned Ports, unsigned VirtualChannels, bool Exact>
struct RouterCapacity {
  using Set = Set_;
  using PortSet = PortSet_;
  /// Virtual channels of one port, as ports store them.
  using Channels = std::conditional_t<VirtualChannels <= 8, std::uint8_t, ChannelBits>;
  static constexpr unsigned ports = Ports;
  static constexpr unsigned virtual_channels = VirtualChannels;
  static constexpr bool exact = Exact;
};

/// Two-dimensional routers with a common number of channels, most others, and all.
using TwoChannelPlane = RouterCapacity<std::uint32_t, std::uint32_t, 5, 2, true>;
using FourChannelPlane = RouterCapacity<std::uint32_t, std::uint32_t, 5, 4, true>;
using EightChannelPlane = RouterCapacity<std::uint64_t, std::uint32_t, 5, 8, true>;
using SixteenChannelPlane = RouterCapacity<WideBits, std::uint32_t, 5, 16, true>;
using SmallCapacity = RouterCapacity<std::uint64_t, std::uint64_t, 16, 8, false>;
using LargeCapacity = RouterCapacity<WideBits, std::uint64_t, max_ports, max_virtual_channels, false>;

/// Ports and members of a router; compile-time constants for an exact capacity.
template <typename Capacity>
class Shape {
 public:
  Shape(unsigned ports, unsigned virtual_channels) : ports_(ports), virtual_channels_(virtual_channels) {}

  unsigned ports() const { return Capacity::exact ? Capacity::ports : ports_; }
  unsigned virtual_channels() const { return Capacity::exact ? Capacity::virtual_channels : virtual_channels_; }
  unsigned members() const { return ports() * virtual_channels(); }
  unsigned port_of(unsigned member) const { return member / virtual_channels(); }
  unsigned channel_of(unsigned member) const { return member % virtual_channels(); }
  unsigned member(unsigned port, unsigned v) const { return port * virtual_channels() + v; }

 private:
  unsigned ports_;
  unsigned virtual_channels_;
};

/// Ports are aligned to cache lines. In the common configurations a port is one line, which holds all that a stage
/// needs of it.
inline constexpr std::size_t cache_line = 64;

template <typename Capacity>
struct alignas(cache_line) InputPort {
  /// End of this cycle's list of credits for the upstream side of the port, and the first channel there.
  ChannelNumber** credits = nullptr;
  ChannelNumber upstream = 0;
  /// The first port of its router.
  std::uint32_t router_port = 0;
  /// Offset of the router's row in the routing table, or its number if there is no table.
  std::uint32_t routes = 0;
  /// Outputs that grant this input in this cycle, or that it requests.
  typename Capacity::PortSet grants = 0;
  std::uint8_t number = 0;
  /// Its first member, and the port after it.
  std::uint8_t first_member = 0;
  std::uint8_t next_number = 0;
  /// Pointer for switch allocation.
  std::uint8_t pointer = 0;
  /// Channels from the one on where the search for a channel that requests the switch starts.
  typename Capacity::Channels first_choices = static_cast<typename Capacity::Channels>(~0U);
  std::array<InputChannel, Capacity::virtual_channels> channels;
};

template <typename Capacity>
struct alignas(cache_line) OutputPort {
  using Set = typename Capacity::Set;
  /// End of this cycle's list of flits for the downstream side of the port, and the first channel there.
  FlitEvent** flits = nullptr;
  ChannelNumber downstream = 0;
  /// The first port of its router.
  std::uint32_t router_port = 0;
  /// Input channels that hold one of its channels, a flit and a credit.
  Set ready = 0;
  /// Input channels whose head requests a channel, by the parity of the cycles in which it may be allocated.
  std::array<Set, 2> channel_requests{};
  /// Input channels whose head requests a channel while no channel that it may use is free.
  Set blocked = 0;
  /// Requests, blocked or not, for a channel of the upper half.
  Set upper = 0;
  /// Inputs that request this output (input-first allocation).
  typename Capacity::PortSet requested_by = 0;
  /// Channels that no packet holds.
  typename Capacity::Channels free = 0;
  std::uint8_t number = 0;
  /// The port after it.
  std::uint8_t next_number = 0;
  /// Pointer for switch allocation.
  std::uint8_t pointer = 0;
  std::array<OutputChannel, Capacity::virtual_channels> channels;
};
static_assert(sizeof(InputPort<FourChannelPlane>) == cache_line && sizeof(OutputPort<FourChannelPlane>) == cache_line);

/// Source of a node's packets.
struct Source {
  static constexpr std::uint32_t none = ~0U;

  /// The first channel of the node's input port.
  ChannelNumber entry = 0;
  /// Template of the packet's flits, and number of flits left; `last` is set in the last one.
  Flit flit{none, 0, 0, 0};
  std::uint32_t left = 0;
  bool begun = false;
  /// The source is in the list of those that may send a flit.
  bool sending = false;
  std::uint8_t channel = 0;
  /// Start of the search for a channel for the next packet.
  std::uint8_t pointer = 0;
  ChannelBits with_credit = 0;
};

}  // namespace pimsweep::hardware::noc::router
