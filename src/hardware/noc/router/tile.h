#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <vector>

#include "hardware/noc/router/active_set.h"
#include "hardware/noc/router/bits.h"
#include "hardware/noc/router/calendar.h"
#include "hardware/noc/router/lattice.h"
#include "hardware/noc/router/packet_pool.h"
#include "hardware/noc/router/router_settings.h"
#include "hardware/noc/router/router_state.h"
#include "hardware/noc/router/switch_allocator.h"
#include "hardware/noc/router/tile_state.h"

namespace pimsweep::hardware::noc::router {

/// Prefetches a port that a later iteration of a loop writes.
[[gnu::always_inline]] inline void prefetch(const void* port) { __builtin_prefetch(port, 1); }

/// Minimum number of cycles until a flit or a credit arrives at another router.
inline unsigned link_lookahead(const RouterSettings& settings) {
  return std::min(settings.link_latency + 2, settings.credit_latency + 1 + settings.credit_delay);
}

/// Consecutive routers of a network with their nodes, simulated cycle by cycle: the part of a network that one thread
/// simulates. Routers, ports, channels and nodes are numbered within the tile, from 0.
///
/// The routers are input-queued virtual-channel routers with the timing of BookSim 2.0. Each stage of the pipeline has
/// a header of its own, in the order of the pipeline:
///
///     tile_routes.h      flits enter input buffers; route computation
///     tile_channels.h    allocation of virtual channels
///     tile_switch.h      switch allocation
///     tile_traversal.h   switch traversal
///     tile_links.h       credits, injection and ejection, and the lists of flits and credits on links
///     tile_setup.h       construction, links between tiles, copies
///
/// Each stage of a cycle is run for all routers before the next stage. A stage is a long loop over ports or events
/// with few branches that depend on the traffic: one router has few events per cycle, so loops over the events of a
/// single router would end unpredictably. Every stage sees the state at the end of the previous cycle.
///
/// Ports live in arrays of cache lines (InputPort, OutputPort). Stages pass each other short lists: outputs with a
/// ready channel, outputs with requests for a channel, grants. A loop keeps the end of a list and the base pointers
/// (HotState) in registers.
///
/// Usage, by RouterNetworkOf in router_network.cpp:
///
///     tiles.push_back(std::make_unique<Tile<FourChannelPlane>>(lattice, settings, routes, first_routers, i, tiles,
///     memory)); for (const auto& tile : tiles) tile->connect(); tile->begin_cycle();     // links deliver;
///     tile->delivered and tile->freed_sources are new tile->send(packet);      // at most one packet per free source
///     tile->finish_cycle();    // sources and routers work; time advances
///
/// `Capacity` bounds ports and virtual channels (RouterCapacity): sets of channels are integers of at most 128 bits.
/// One tile holds at most 2^24 packets in flight, and a network at most max_tiles tiles. Tiles may be simulated by
/// different threads as long as none is link_lookahead() cycles ahead of another.
template <typename Capacity>
class Tile : public TileState {
 public:
  /// A tile of the routers first_routers[number] to first_routers[number + 1] - 1. `tiles` holds all tiles, including
  /// this one, by the time of connect(), and must outlive the tile, as must `memory`, which holds its state. `routes`
  /// is the lattice's routing table, or empty.
  Tile(const Lattice& lattice, const RouterSettings& settings, const std::vector<std::uint8_t>& routes,
       const std::vector<std::uint32_t>& first_routers, unsigned number,
       const std::vector<std::unique_ptr<Tile>>& tiles, std::pmr::monotonic_buffer_resource& memory);

  /// Connects the tile to the tiles at the other ends of its links. Call once all tiles exist, before the first cycle.
  void connect();

  /// Copies the state of the same tile of another network made with the same arguments, between two cycles.
  void assign(const Tile& other);

  void begin_cycle();
  void send(const Packet& packet);
  void finish_cycle();

 private:
  using Set = typename Capacity::Set;
  using PortSet = typename Capacity::PortSet;
  using Input = InputPort<Capacity>;
  using Output = OutputPort<Capacity>;

  /// Flits and credits on the links to one tile, which reads them.
  struct Outbox {
    std::uint32_t tile;
    Calendar<FlitEvent> arrivals;
    Calendar<ChannelNumber> credits;
  };
  /// Pool slots of packets that arrived here, in even and in odd rounds. Their source's tile frees them once per round.
  using Received = std::array<std::vector<std::uint32_t>, 2>;
  /// Numbers of event lists: to the tile's own nodes, to the tile itself, and from there on to other tiles.
  static constexpr std::uint32_t own_nodes = 0;
  static constexpr std::uint32_t own_tile = 1;
  /// Heads of a router whose route computation takes two cycles or more.
  struct Routing {
    Set waiting = 0;
    Set under_way = 0;
    std::uint64_t end = 0;
  };
  /// An output and the input channel that it grants; a match once the input accepts.
  struct Grant {
    std::uint32_t output;
    ChannelNumber input;
  };
  /// Source of routes: a pipeline stage of two cycles or more, a table, or computation on arrival.
  enum class RouteBy : std::uint8_t { stage, table, mesh, torus, h_tree };
  /// State that most stages use. A local copy stays in registers, while members would be reloaded after every write to
  /// an event or a port.
  struct HotState {
    Shape<Capacity> shape;
    Input* inputs;
    Output* outputs;
    Flit* buffers;
    std::size_t slot_size;
    unsigned slot_mask;

    Flit& flit_at(std::uint32_t port, unsigned v, unsigned slot) const {
      return buffers[(slot & slot_mask) * slot_size + std::size_t{port} * shape.virtual_channels() + v];
    }
    /// The virtual channel of an input that traverses the switch to an output: the first ready one from the port's
    /// first choice on, or the first with a speculative request if none is ready.
    template <bool speculative>
    unsigned choose(const Input& input, Set ready, Set speculative_set) const {
      const auto all = first_members<ChannelBits>(shape.virtual_channels());
      const auto certain = static_cast<ChannelBits>(ready >> input.first_member) & all;
      if (!speculative || certain != 0) return first_preferred(certain, ChannelBits{input.first_choices});
      const auto uncertain = static_cast<ChannelBits>(speculative_set >> input.first_member) & all;
      return first_preferred(uncertain, ChannelBits{input.first_choices});
    }
  };
  /// Ends of the lists that grow during switch traversal: heads that come to the front, and outputs with a request
  /// that may be granted in the next cycle.
  struct ListEnds {
    ChannelNumber* heads;
    std::uint32_t* channel_requests;
  };
  /// Channels of a router by member, for the channel allocator.
  struct InputChannels {
    Shape<Capacity> shape;
    Input* ports;
    InputChannel& operator[](unsigned member) const {
      return ports[shape.port_of(member)].channels[shape.channel_of(member)];
    }
  };
  struct OutputChannels {
    Output* port;
    unsigned base;
    OutputChannel& operator[](unsigned member) const { return port->channels[member - base]; }
  };
  /// State used by route computation.
  struct Routes {
    Lattice::Routes lattice;
    const std::uint8_t* table;
    std::uint32_t first_router;
  };

  HotState hot_state() { return {shape_, inputs_.data(), outputs_.data(), buffers_, slot_size_, slot_mask_}; }
  /// Virtual channels of an output that a packet may use.
  ChannelBits allowed(unsigned output, unsigned half) const { return output >= node_port_ ? all_ : half_[half]; }
  /// Channel requests are kept in two sets per output: those that may be granted in even cycles, and in odd ones.
  /// Index of the set for this cycle, and for the next one.
  unsigned cycle_parity() const { return static_cast<unsigned>(time % 2); }
  unsigned next_parity() const { return cycle_parity() ^ 1U; }
  /// Index of the set for requests of heads that arrive in this cycle.
  unsigned request_parity() const { return settings_.routing_delay == 0 ? cycle_parity() : next_parity(); }
  Outbox& own_outbox() { return outboxes_[own_tile - 1]; }

  // Setup.
  RouteBy computed_routes() const {
    switch (lattice_.topology()) {
      case Topology::mesh:
        return RouteBy::mesh;
      case Topology::torus:
        return RouteBy::torus;
      case Topology::h_tree:
        break;
    }
    return RouteBy::h_tree;
  }
  void join_ports(const Lattice& lattice, const std::vector<std::uint32_t>& first_routers,
                  std::pmr::monotonic_buffer_resource& memory);
  void make_lists(const std::vector<std::uint32_t>& tiles, const std::vector<std::uint32_t>& lists_of_ports,
                  std::pmr::monotonic_buffer_resource& memory);

  // Buffer write and route computation.
  void receive(EventList<FlitEvent>& arrivals);
  template <RouteBy how>
  void receive_on(EventList<FlitEvent>& arrivals);
  /// Calls visit.operator()<how>() with how = route_by_.
  template <typename Visit>
  void dispatch_routes(Visit visit);
  Routes routes() const { return {lattice_.routes(), routes_, first_router_}; }
  template <RouteBy how>
  [[gnu::always_inline]] static inline Lattice::Step route(const Routes& routes, const HotState& hot,
                                                           const Input& input, unsigned v, Flit head);
  void route_heads();
  template <RouteBy how>
  void route_heads_on();
  void begin_routes();
  void end_routes();
  template <bool halved>
  [[gnu::always_inline]] static inline std::uint32_t* request_channel(const HotState& hot, Input& input, unsigned v,
                                                                      Lattice::Step step, unsigned parity,
                                                                      std::uint32_t* requests_end);

  // Allocation of virtual channels.
  void allocate_channels();
  template <bool halved>
  void allocate_channels_on();
  [[gnu::always_inline]] static inline void allocate_channel(const HotState& hot, Output& output, Set requests,
                                                             ChannelBits available);
  [[gnu::noinline]] Set resolve_contention(Output& output, Set requests, ChannelBits available);

  // Switch allocation.
  void allocate_switch();
  template <bool speculative>
  void make_grants();
  template <bool speculative>
  [[gnu::always_inline]] static inline Grant* make_grant(const HotState& hot, std::uint32_t port, Set ready,
                                                         Set speculative_set, Grant* grant);
  Set speculative_requests(const Output& output) const;
  void match_by_inputs();
  void match_by_requests();
  void match_router(std::uint32_t router_port);
  void collect_requests(std::uint32_t router_port);

  // Switch traversal.
  void traverse_switch();
  template <bool granted, bool speculative, bool one_cycle>
  void traverse_switch_on();
  template <bool one_cycle>
  [[gnu::always_inline]] inline void traverse(const HotState& hot, ListEnds& ends, Input& from, Output& to,
                                              Grant match);
  void keep_ready_outputs();
  void depart(const Output& to, const FlitEvent& event);

  // Links, sources and nodes.
  template <typename Visit>
  void for_each_list(Visit visit);
  void open_lists();
  void close_lists();
  void apply_credits(EventList<ChannelNumber>& credits);
  [[gnu::always_inline]] static inline std::uint32_t* make_ready(const HotState& hot, std::uint32_t port, unsigned v,
                                                                 std::uint32_t* ready_end);
  void inject();
  void apply_source_credits();
  void eject_flits();
  void reclaim_packets();

  const Lattice& lattice_;
  RouterSettings settings_;
  const std::vector<std::unique_ptr<Tile>>& tiles_;
  unsigned number_;
  Shape<Capacity> shape_;
  unsigned node_port_;
  std::uint32_t first_router_;
  std::uint32_t routers_;
  std::uint32_t first_node_;
  ChannelBits all_;
  /// The halves of the virtual channels on a torus, which a packet never leaves within a ring; elsewhere one half holds
  /// all channels.
  std::array<ChannelBits, 2> half_;
  unsigned halves_;
  /// Switch allocation in one pass over all outputs (make_grants) or all inputs (match_by_inputs); otherwise router by
  /// router.
  bool output_first_;
  bool input_first_;
  RouteBy route_by_;
  /// The rows of the tile's routers in the routing table.
  const std::uint8_t* routes_;

  std::pmr::vector<Input> inputs_;
  std::pmr::vector<Output> outputs_;
  /// The first slots of all buffers, then all second slots, and so on: most buffers hold few flits, so few bytes are in
  /// use, and pages of the rest are never touched. The number of slots of a buffer is a power of two.
  unsigned slot_mask_;
  std::size_t slot_size_;
  Flit* buffers_;

  /// Outputs with a ready channel, each once: in this cycle, and in the next one.
  EventList<std::uint32_t> ready_outputs_;
  EventList<std::uint32_t> next_ready_outputs_;
  EventList<Grant> grants_;
  /// Inputs that request an output, each once (input-first allocation).
  EventList<std::uint32_t> requesters_;
  /// Outputs with a channel request that may be granted in even cycles, and in odd ones: each once, with a nonempty
  /// set.
  std::array<EventList<std::uint32_t>, 2> channel_requests_;
  /// Heads that have come to the front of their channel.
  EventList<ChannelNumber> heads_;

  std::vector<Source> sources_;
  std::vector<std::uint16_t> source_credits_;
  /// Nodes whose source may send a flit, each once (Source::sending).
  EventList<std::uint32_t> sending_;
  std::vector<std::uint32_t> freed_now_;
  PacketPool packets_;

  /// From list number own_tile on.
  std::vector<Outbox> outboxes_;
  /// Outboxes of all tiles with links to this one.
  std::vector<Outbox*> inboxes_;
  /// Indexed by tile.
  std::vector<Received> received_;
  Calendar<FlitEvent> ejections_;
  Calendar<ChannelNumber> source_credit_arrivals_;
  /// Ends of this cycle's event lists, by list number.
  std::vector<FlitEvent*> flit_ends_;
  std::vector<ChannelNumber*> credit_ends_;

  // Empty unless the settings need them.
  std::vector<Routing> routing_;
  ActiveSet routing_routers_;
  /// Traversal of two cycles or more admits flits in batches: end of a router's latest batch, admitted or not, and
  /// latest departure of each output.
  std::vector<std::uint64_t> batch_ends_;
  std::vector<std::uint64_t> last_departures_;
  SwitchRequests requests_;
  /// Latest cycle in which each router was matched.
  std::vector<std::uint64_t> matched_at_;
  /// Speculative requests for each output of the router being matched.
  std::array<Set, Capacity::ports> speculative_requests_{};
};

template <typename Capacity>
void Tile<Capacity>::begin_cycle() {
  delivered.clear();
  freed_sources.swap(freed_now_);
  freed_now_.clear();
  eject_flits();
  apply_source_credits();
  for (Outbox* const inbox : inboxes_) {
    receive(inbox->arrivals.cycle(time));
    apply_credits(inbox->credits.cycle(time));
  }
  if (time % round_cycles == 0) reclaim_packets();
  route_heads();
}

template <typename Capacity>
void Tile<Capacity>::finish_cycle() {
  inject();
  open_lists();
  if (settings_.routing_delay > 1) begin_routes();
  allocate_switch();
  // Channels allocated in this cycle are too late for its matches, and channels freed in it are too late to be
  // allocated.
  allocate_channels();
  traverse_switch();
  close_lists();
  if (settings_.routing_delay > 1) end_routes();
  ++time;
}

}  // namespace pimsweep::hardware::noc::router
