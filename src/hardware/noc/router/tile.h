#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "hardware/noc/router/active_set.h"
#include "hardware/noc/router/bits.h"
#include "hardware/noc/router/calendar.h"
#include "hardware/noc/router/channel_allocator.h"
#include "hardware/noc/router/packet_pool.h"
#include "hardware/noc/router/router_network.h"
#include "hardware/noc/router/router_state.h"
#include "hardware/noc/router/switch_allocator.h"

namespace pimsweep::hardware::noc::router {

/// Brings a port of a later turn of a loop into the cache.
[[gnu::always_inline]] inline void prefetch(const void* port) { __builtin_prefetch(port, 1); }

/// The fewest cycles in which a flit or a credit arrives at another router.
inline unsigned link_lookahead(const RouterSettings& settings) {
  return std::min(settings.link_latency + 2, settings.credit_latency + 1 + settings.credit_delay);
}

/// Consecutive routers with their nodes. All numbers of routers, ports, channels and nodes in it are its own, from 0
/// on.
///
/// Each step of a cycle is done for all routers before the next one. Steps are long loops over ports or events, in
/// which few branches depend on the traffic: a router in a cycle has few of each, so that loops over those of one
/// router would end unpredictably. Steps that begin in a cycle see what ended in the previous one, whatever their
/// order.
template <typename Room>
class Tile : public TileState {
 public:
  /// A tile of the routers first_routers[number] .. first_routers[number + 1] - 1. `tiles` are all, this one included,
  /// once they are connected; it must outlive the tile.
  /// Its state lies in `memory`, which must outlive it too.
  /// `routes` is the lattice's table of routes, or empty.
  Tile(const Lattice& lattice, const RouterSettings& settings, const std::vector<std::uint8_t>& routes,
       const std::vector<std::uint32_t>& first_routers, unsigned number,
       const std::vector<std::unique_ptr<Tile>>& tiles, std::pmr::monotonic_buffer_resource& memory);

  /// Joins the tile to those to which its links lead, once all tiles are there and before the first cycle.
  void connect();

  /// Comes to the state of the same tile of another network, made with the same arguments, between two cycles.
  void assign(const Tile& other);

  void begin_cycle();
  void send(const Packet& packet);
  void finish_cycle();

 private:
  using Set = typename Room::Set;
  using PortSet = typename Room::PortSet;
  using Input = InputPort<Room>;
  using Output = OutputPort<Room>;

  /// What the tile sends to one tile to which its links lead; that one reads it.
  struct Outbox {
    std::uint32_t tile;
    Calendar<FlitEvent> arrivals;
    Calendar<ChannelNumber> credits;
  };
  /// Places of packets that have arrived here, for their source's tile, which looks for them once in a round of cycles:
  /// those of even rounds and of odd ones.
  using Received = std::array<std::vector<std::uint32_t>, 2>;
  /// Lists of events: of the tile's own nodes, of the tile, and then of others to which links lead.
  static constexpr std::uint32_t own_nodes = 0;
  static constexpr std::uint32_t own_tile = 1;
  /// Heads whose route takes two cycles or more: those that wait for it, and those whose route is being computed.
  struct Routing {
    Set waiting = 0;
    Set under_way = 0;
    std::uint64_t end = 0;
  };
  /// An output, and the input channel that it offers to serve; once it is accepted, a match.
  struct Offer {
    std::uint32_t output;
    ChannelNumber input;
  };
  /// How heads get their routes: by a stage that takes two cycles or more, from a table, or computed.
  enum class RouteBy : std::uint8_t { stage, table, mesh, torus, h_tree };
  /// What most steps use: a copy in a loop stays in registers, where members would be read anew after every change of
  /// an event or a port.
  struct Hands {
    Shape<Room> shape;
    Input* inputs;
    Output* outputs;
    Flit* buffers;
    std::size_t slot_size;
    unsigned slot_mask;

    Flit& place(std::uint32_t port, unsigned v, unsigned slot) const {
      return buffers[(slot & slot_mask) * slot_size + std::size_t{port} * shape.virtual_channels() + v];
    }
    /// The virtual channel of an input that passes the switch to an output: the first one that is ready, from the
    /// port's first choice on, or if there is none, the first one that is hopeful.
    template <bool speculative>
    unsigned choose(const Input& input, Set ready, Set hopeful) const {
      const auto all = first_members<ChannelBits>(shape.virtual_channels());
      const auto certain = static_cast<ChannelBits>(ready >> input.first_member) & all;
      if (!speculative || certain != 0) return first_preferred(certain, ChannelBits{input.first_choices});
      const auto uncertain = static_cast<ChannelBits>(hopeful >> input.first_member) & all;
      return first_preferred(uncertain, ChannelBits{input.first_choices});
    }
  };
  /// Where lists end that grow in the passage of flits: of heads that come to the front, and of outputs that have a
  /// request which may be granted in the next cycle.
  struct Ends {
    ChannelNumber* heads;
    std::uint32_t* asked;
  };
  /// Channels of a router by member, for the allocator of channels.
  struct InputChannels {
    Shape<Room> shape;
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
  Hands hands() { return {shape_, inputs_.data(), outputs_.data(), buffers_, slot_size_, slot_mask_}; }
  /// Virtual channels of an output that a packet may use.
  ChannelBits allowed(unsigned output, unsigned half) const { return output >= node_port_ ? all_ : half_[half]; }

  void join_ports(const Lattice& lattice, const std::vector<std::uint32_t>& first_routers,
                  std::pmr::monotonic_buffer_resource& memory);
  void make_lists(const std::vector<std::uint32_t>& tiles, const std::vector<std::uint32_t>& lists_of_ports,
                  std::pmr::monotonic_buffer_resource& memory);
  template <typename Visit>
  void for_each_list(Visit visit);
  void open_lists();
  void close_lists();

  Outbox& own_outbox() { return outboxes_[own_tile - 1]; }
  void take_back_packets();
  void take_flits();
  void apply_source_credits();
  void receive(EventList<FlitEvent>& arrivals);
  template <RouteBy how>
  void receive_on(EventList<FlitEvent>& arrivals);
  void apply_credits(EventList<ChannelNumber>& credits);
  [[gnu::always_inline]] static inline std::uint32_t* make_ready(const Hands& hands, std::uint32_t port, unsigned v,
                                                                 std::uint32_t* wanted);

  void inject();
  void begin_routes();
  void end_routes();
  void route_heads();
  template <RouteBy how>
  void route_heads_on();
  /// Calls visit.operator()<how>().
  template <typename Visit>
  void dispatch_routes(Visit visit);
  /// What the computation of a route needs.
  struct Routes {
    Lattice::Routes lattice;
    const std::uint8_t* table;
    std::uint32_t first_router;
  };
  Routes routes() const { return {lattice_.routes(), routes_, first_router_}; }
  template <RouteBy how>
  [[gnu::always_inline]] static inline Lattice::Step route(const Routes& routes, const Hands& hands, const Input& input,
                                                           unsigned v, Flit head);
  template <bool halved>
  [[gnu::always_inline]] static inline std::uint32_t* ask_for_channel(const Hands& hands, Input& input, unsigned v,
                                                                      Lattice::Step step, unsigned day,
                                                                      std::uint32_t* asked);
  /// Which of an output's sets holds requests that may be granted in this cycle, and in the next one.
  unsigned today() const { return static_cast<unsigned>(time % 2); }
  unsigned tomorrow() const { return today() ^ 1U; }
  /// When requests of heads that arrive now may be granted.
  unsigned day_of_requests() const { return settings_.routing_delay == 0 ? today() : tomorrow(); }

  void give_channels();
  template <bool halved>
  void give_channels_on();
  [[gnu::always_inline]] static inline void give_channel(const Hands& hands, Output& output, Set asking,
                                                         ChannelBits available);
  [[gnu::noinline]] Set give_contested_channels(Output& output, Set asking, ChannelBits available);
  template <bool speculative>
  void make_offers();
  template <bool speculative>
  [[gnu::always_inline]] static inline Offer* make_offer(const Hands& hands, std::uint32_t port, Set ready, Set hopeful,
                                                         Offer* offer);
  Set hopeful(const Output& output) const;
  void match_by_inputs();
  void match_by_requests();
  void match_router(std::uint32_t router_port);
  void collect_requests(std::uint32_t router_port);
  void match();
  void use_matches();
  template <bool offered, bool speculative, bool one_cycle>
  void use_matches_on();
  template <bool one_cycle>
  [[gnu::always_inline]] inline void pass(const Hands& hands, Ends& ends, Input& from, Output& to, Offer match);
  void keep_wanted();
  void depart(const Output& to, const FlitEvent& event);

  const Lattice& lattice_;
  RouterSettings settings_;
  const std::vector<std::unique_ptr<Tile>>& tiles_;
  unsigned number_;
  Shape<Room> shape_;
  unsigned node_port_;
  std::uint32_t first_router_;
  std::uint32_t routers_;
  std::uint32_t first_node_;
  ChannelBits all_;
  /// Halves of the virtual channels, between which packets do not change, and their number.
  std::array<ChannelBits, 2> half_;
  unsigned halves_;
  /// Whether every output chooses an input, and every input one of the outputs that chose it, without regard to others;
  /// or first every input an output.
  bool outputs_choose_;
  bool inputs_choose_;
  RouteBy route_by_;
  /// Rows of the tile's routers in the table of routes.
  const std::uint8_t* routes_;

  std::pmr::vector<Input> inputs_;
  std::pmr::vector<Output> outputs_;
  unsigned slot_mask_;
  std::size_t slot_size_;
  /// The first slots of all buffers, then the second ones: as most buffers hold few flits, few bytes are in use, and
  /// pages of others are never touched. Slots of a buffer are a power of two.
  Flit* buffers_;

  /// Outputs with a channel that is ready, each once: in this cycle, and in the next one.
  EventList<std::uint32_t> wanted_;
  EventList<std::uint32_t> next_wanted_;
  EventList<Offer> offers_;
  /// Inputs that request an output, each once, for the allocator in which inputs choose first.
  EventList<std::uint32_t> choosers_;
  /// Outputs with a request for a channel that may be granted in even cycles, and in odd ones: each once, with a set
  /// that is not empty.
  std::array<EventList<std::uint32_t>, 2> asked_;
  /// Heads that have come to the front of their channel.
  EventList<ChannelNumber> heads_;

  std::vector<Source> sources_;
  std::vector<std::uint16_t> source_credits_;
  /// Nodes whose source may send a flit, each once (`sending`).
  EventList<std::uint32_t> sending_;
  std::vector<std::uint32_t> freed_now_;
  PacketPool packets_;

  /// Of the lists from own_tile on.
  std::vector<Outbox> outboxes_;
  /// Those of all tiles that lead here.
  std::vector<Outbox*> inboxes_;
  /// By tile.
  std::vector<Received> received_;
  Calendar<FlitEvent> ejections_;
  Calendar<ChannelNumber> source_credit_arrivals_;
  /// Ends of today's list of each link's `list`.
  std::vector<FlitEvent*> flit_ends_;
  std::vector<ChannelNumber*> credit_ends_;

  // What only some routers need.
  std::vector<Routing> routing_;
  ActiveSet routing_routers_;
  /// Switch traversal takes flits in batches: when the latest one, admitted or not, ends; and an output's last flit.
  std::vector<std::uint64_t> batch_ends_;
  std::vector<std::uint64_t> last_departures_;
  SwitchRequests requests_;
  /// The cycle in which a router was matched last.
  std::vector<std::uint64_t> matched_at_;
  /// Input channels that ask each output and may get a channel with a credit in this cycle.
  std::array<Set, Room::ports> hopeful_{};
};

template <typename Room>
Tile<Room>::Tile(const Lattice& lattice, const RouterSettings& settings, const std::vector<std::uint8_t>& routes,
                 const std::vector<std::uint32_t>& first_routers, unsigned number,
                 const std::vector<std::unique_ptr<Tile>>& tiles, std::pmr::monotonic_buffer_resource& memory)
    : lattice_(lattice),
      settings_(settings),
      tiles_(tiles),
      number_(number),
      shape_(lattice.ports(), settings.virtual_channels),
      node_port_(lattice.node_port()),
      first_router_(first_routers[number]),
      routers_(first_routers[number + 1] - first_router_),
      first_node_(lattice.first_node(first_router_)),
      all_(first_members<ChannelBits>(settings.virtual_channels)),
      half_{all_, 0},
      halves_(lattice.topology() == Topology::torus ? 2 : 1),
      outputs_choose_(settings.iterations == 1 && settings.allocator != Allocator::separable_input_first &&
                      (!settings.speculative || settings.allocator == Allocator::islip)),
      inputs_choose_(!settings.speculative && settings.allocator == Allocator::separable_input_first),
      route_by_(settings.routing_delay > 1 ? RouteBy::stage
                : !routes.empty()          ? RouteBy::table
                                           : computed_routes()),
      routes_(routes.empty() ? nullptr : &routes[std::size_t{first_router_} * lattice.nodes()]),
      inputs_(std::size_t{routers_} * lattice.ports(), &memory),
      outputs_(inputs_.size(), &memory),
      slot_mask_(std::bit_ceil(settings.buffer_size) - 1),
      slot_size_(inputs_.size() * settings.virtual_channels),
      buffers_(std::pmr::polymorphic_allocator<Flit>(&memory).allocate(slot_size_ * (slot_mask_ + 1))),
      wanted_(outputs_.size(), memory),
      next_wanted_(outputs_.size(), memory),
      offers_(outputs_.size(), memory),
      choosers_(inputs_choose_ ? inputs_.size() : 0, memory),
      asked_{EventList<std::uint32_t>(outputs_.size(), memory), EventList<std::uint32_t>(outputs_.size(), memory)},
      heads_(slot_size_, memory),
      sources_(lattice.first_node(first_routers[number + 1]) - first_node_),
      source_credits_(sources_.size() << channel_number_bits, static_cast<std::uint16_t>(settings.buffer_size)),
      sending_(sources_.size(), memory),
      ejections_(3 * settings.switch_traversal_delay + 3, sources_.size(), memory),
      source_credit_arrivals_(2, sources_.size(), memory),
      routing_(settings.routing_delay > 1 ? routers_ : 0),
      routing_routers_(routers_),
      batch_ends_(settings.switch_traversal_delay > 1 ? routers_ : 0),
      last_departures_(settings.switch_traversal_delay > 1 ? outputs_.size() : 0),
      matched_at_(outputs_choose_ || inputs_choose_ ? 0 : routers_, ~std::uint64_t{0}) {
  if (halves_ == 2) {
    half_[0] = first_members<ChannelBits>(settings.virtual_channels / 2);
    half_[1] = all_ & ~half_[0];
  }
  requests_.ports = lattice.ports();
  received_.resize(first_routers.size() - 1);
  join_ports(lattice, first_routers, memory);
}

template <typename Room>
void Tile<Room>::join_ports(const Lattice& lattice, const std::vector<std::uint32_t>& first_routers,
                            std::pmr::monotonic_buffer_resource& memory) {
  const unsigned ports = shape_.ports();
  // Tiles of the lists from own_tile on.
  std::vector<std::uint32_t> tiles{number_};
  // Of each port: the list of what leaves it, and of the credits for what arrives.
  std::vector<std::uint32_t> flit_lists(outputs_.size(), own_nodes);
  std::vector<std::uint32_t> credit_lists(inputs_.size(), own_nodes);
  // The list of the tile to which a link leads.
  const auto list_of = [&](std::uint32_t router) {
    const auto after = std::upper_bound(first_routers.begin(), first_routers.end(), router);
    const auto tile = static_cast<std::uint32_t>(after - first_routers.begin() - 1);
    const auto known = std::find(tiles.begin(), tiles.end(), tile);
    const auto list = own_tile + static_cast<std::uint32_t>(known - tiles.begin());
    if (known == tiles.end()) tiles.push_back(tile);
    return list;
  };
  for (std::uint32_t port = 0; port < outputs_.size(); ++port) {
    Output& output = outputs_[port];
    Input& input = inputs_[port];
    const std::uint32_t own_router = port / ports;
    input.routes = route_by_ == RouteBy::table ? own_router * lattice.nodes() : own_router;
    output.router_port = input.router_port = own_router * ports;
    output.number = input.number = static_cast<std::uint8_t>(port % ports);
    output.next_number = input.next_number = behind(output.number, ports);
    input.first_member = static_cast<std::uint8_t>(shape_.member(input.number, 0));
    output.free = static_cast<typename Room::Channels>(all_);
    for (OutputChannel& channel : output.channels) {
      channel.credits = static_cast<std::uint16_t>(settings_.buffer_size);
    }
    const std::uint32_t router = first_router_ + own_router;
    if (lattice.is_node_port(router, output.number)) {
      output.downstream = channel_number(port, 0);
      continue;
    }
    const std::uint32_t there = lattice.neighbor(router, output.number);
    if (there == router) continue;
    // Links go both ways between the same pair of ports.
    flit_lists[port] = credit_lists[port] = list_of(there);
    const std::uint32_t in_tile = there - first_routers[tiles[flit_lists[port] - own_tile]];
    output.downstream = input.upstream = channel_number(in_tile * ports + lattice.far_port(router, output.number), 0);
  }
  for (std::uint32_t node = 0; node < sources_.size(); ++node) {
    const std::uint32_t there = first_node_ + node;
    const std::uint32_t port = (lattice.router_of(there) - first_router_) * ports + lattice.port_of(there);
    sources_[node].entry = channel_number(port, 0);
    sources_[node].with_credit = all_;
    inputs_[port].upstream = channel_number(node, 0);
  }
  make_lists(tiles, flit_lists, memory);
  for (std::uint32_t port = 0; port < outputs_.size(); ++port) {
    outputs_[port].flits = &flit_ends_[flit_lists[port]];
    inputs_[port].credits = &credit_ends_[credit_lists[port]];
  }
}

/// A link carries at most one flit and one credit in a cycle, so that the lists never grow.
template <typename Room>
void Tile<Room>::make_lists(const std::vector<std::uint32_t>& tiles, const std::vector<std::uint32_t>& lists_of_ports,
                            std::pmr::monotonic_buffer_resource& memory) {
  std::vector<std::size_t> links(own_tile + tiles.size());
  for (const std::uint32_t list : lists_of_ports) ++links[list];
  // Flits of sources come here, and credits of nodes.
  links[own_tile] += links[own_nodes];
  // The tile that reads them may be behind.
  const unsigned behind = link_lookahead(settings_) - 1;
  const unsigned traversal = settings_.switch_traversal_delay == 1 ? 0 : 3 * settings_.switch_traversal_delay;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const std::size_t capacity = links[own_tile + i];
    outboxes_.push_back(
        {tiles[i], Calendar<FlitEvent>(traversal + settings_.link_latency + 2 + behind, capacity, memory),
         Calendar<ChannelNumber>(settings_.credit_latency + settings_.credit_delay + 2 + behind, capacity, memory)});
  }
  flit_ends_.resize(links.size());
  credit_ends_.resize(links.size());
}

template <typename Room>
void Tile<Room>::connect() {
  for (Outbox& outbox : outboxes_) tiles_[outbox.tile]->inboxes_.push_back(&outbox);
}

template <typename Room>
void Tile<Room>::assign(const Tile& other) {
  TileState::operator=(other);
  const Hands hands = this->hands();
  for (std::uint32_t port = 0; port < inputs_.size(); ++port) {
    ChannelNumber** const credits = inputs_[port].credits;
    inputs_[port] = other.inputs_[port];
    inputs_[port].credits = credits;
    FlitEvent** const flits = outputs_[port].flits;
    outputs_[port] = other.outputs_[port];
    outputs_[port].flits = flits;
    for (unsigned v = 0; v < shape_.virtual_channels(); ++v) {
      const InputChannel& channel = inputs_[port].channels[v];
      for (unsigned i = 0; i < channel.count; ++i) {
        hands.place(port, v, channel.front + i) = other.buffers_[&hands.place(port, v, channel.front + i) - buffers_];
      }
    }
  }
  wanted_.assign(other.wanted_);
  for (const unsigned day : {0U, 1U}) asked_[day].assign(other.asked_[day]);
  heads_.assign(other.heads_);
  sources_ = other.sources_;
  source_credits_ = other.source_credits_;
  sending_.assign(other.sending_);
  freed_now_ = other.freed_now_;
  packets_.assign(other.packets_);
  for (std::size_t i = 0; i < outboxes_.size(); ++i) {
    outboxes_[i].arrivals.assign(other.outboxes_[i].arrivals);
    outboxes_[i].credits.assign(other.outboxes_[i].credits);
  }
  received_ = other.received_;
  ejections_.assign(other.ejections_);
  source_credit_arrivals_.assign(other.source_credit_arrivals_);
  routing_ = other.routing_;
  routing_routers_ = other.routing_routers_;
  batch_ends_ = other.batch_ends_;
  last_departures_ = other.last_departures_;
  matched_at_ = other.matched_at_;
}

template <typename Room>
void Tile<Room>::begin_cycle() {
  delivered.clear();
  freed_sources.swap(freed_now_);
  freed_now_.clear();
  take_flits();
  apply_source_credits();
  for (Outbox* const inbox : inboxes_) {
    receive(inbox->arrivals.day(time));
    apply_credits(inbox->credits.day(time));
  }
  if (time % RouterNetwork::round == 0) take_back_packets();
  route_heads();
}

/// Those of the round before, to which nothing is added now.
template <typename Room>
void Tile<Room>::take_back_packets() {
  for (const auto& tile : tiles_) {
    std::vector<std::uint32_t>& received = tile->received_[number_][(time / RouterNetwork::round & 1) ^ 1];
    for (const std::uint32_t packet : received) packets_.give_back(packet);
    received.clear();
  }
}

/// Nodes receive flits.
template <typename Room>
void Tile<Room>::take_flits() {
  auto& ejections = ejections_.day(time);
  auto& credits = own_outbox().credits.day(time + 2 + settings_.credit_delay);
  for (const FlitEvent& event : ejections) {
    const std::uint32_t place = event.flit.packet & place_mask;
    const std::uint32_t tile = event.flit.packet >> tile_shift;
    const Packet& packet = tiles_[tile]->packets_[place];
    counts.created_sum -= packet.created;
    credits.add(event.channel);
    if (event.flit.last == 0) continue;
    delivered.push_back(packet);
    if (tile == number_) {
      packets_.give_back(place);
    } else {
      received_[tile][time / RouterNetwork::round & 1].push_back(place);
    }
  }
  counts.taken_flits += ejections.size();
  counts.flits_under_way -= ejections.size();
  counts.credits_under_way += ejections.size();
  ejections.clear();
}

template <typename Room>
void Tile<Room>::apply_source_credits() {
  auto& credits = source_credit_arrivals_.day(time);
  for (const ChannelNumber channel : credits) {
    const std::uint32_t node = port_of_channel(channel);
    Source& source = sources_[node];
    ++source_credits_[channel];
    source.with_credit |= bit<ChannelBits>(virtual_channel_of(channel));
    if (source.left != 0 && !source.sending) {
      source.sending = true;
      sending_.add(node);
    }
  }
  counts.credits_under_way -= credits.size();
  credits.clear();
}

/// Flits enter input buffers. Routes of heads are computed as they arrive, unless that takes two cycles or more.
template <typename Room>
void Tile<Room>::receive(EventList<FlitEvent>& arrivals) {
  if (arrivals.size() == 0) return;
  dispatch_routes([&]<RouteBy how>() { receive_on<how>(arrivals); });
  arrivals.clear();
}

template <typename Room>
template <typename Visit>
void Tile<Room>::dispatch_routes(Visit visit) {
  switch (route_by_) {
    case RouteBy::stage:
      return visit.template operator()<RouteBy::stage>();
    case RouteBy::table:
      return visit.template operator()<RouteBy::table>();
    case RouteBy::mesh:
      return visit.template operator()<RouteBy::mesh>();
    case RouteBy::torus:
      return visit.template operator()<RouteBy::torus>();
    case RouteBy::h_tree:
      return visit.template operator()<RouteBy::h_tree>();
  }
}

template <typename Room>
template <typename Tile<Room>::RouteBy how>
Lattice::Step Tile<Room>::route(const Routes& routes, const Hands& hands, const Input& input, unsigned v, Flit head) {
  if constexpr (how == RouteBy::table) return {routes.table[input.routes + head.destination], false};
  constexpr Topology topology = how == RouteBy::mesh    ? Topology::mesh
                                : how == RouteBy::torus ? Topology::torus
                                                        : Topology::h_tree;
  const bool upper_half = v >= hands.shape.virtual_channels() / 2;
  return routes.lattice.template route<topology>(routes.first_router + input.routes, head.destination, input.number,
                                                 upper_half, head.tie_up);
}

template <typename Room>
template <typename Tile<Room>::RouteBy how>
void Tile<Room>::receive_on(EventList<FlitEvent>& arrivals) {
  const Hands hands = this->hands();
  const Routes routes = this->routes();
  const unsigned day = day_of_requests();
  ChannelNumber* heads = heads_.open_end();
  std::uint32_t* asked = asked_[day].open_end();
  std::uint32_t* wanted = wanted_.open_end();
  for (const FlitEvent& event : arrivals) {
    prefetch(&hands.inputs[port_of_channel(arrivals.ahead(event).channel)]);
    const std::uint32_t port = port_of_channel(event.channel);
    const unsigned v = virtual_channel_of(event.channel);
    Input& input = hands.inputs[port];
    InputChannel& channel = input.channels[v];
    const unsigned before = channel.count;
    const Flit flit = event.flit;
    hands.place(port, v, channel.front + before) = flit;
    channel.count = static_cast<std::uint16_t>(before + 1);
    if (before != 0) continue;
    if (channel.output_channel == InputChannel::none) {
      if constexpr (how == RouteBy::stage) {
        *heads++ = event.channel;
      } else {
        asked = ask_for_channel<how == RouteBy::torus>(hands, input, v, route<how>(routes, hands, input, v, flit), day,
                                                       asked);
      }
    } else {
      wanted = make_ready(hands, port, v, wanted);
    }
  }
  heads_.open_end() = heads;
  asked_[day].open_end() = asked;
  wanted_.open_end() = wanted;
}

template <typename Room>
void Tile<Room>::apply_credits(EventList<ChannelNumber>& credits) {
  if (credits.size() == 0) return;
  const Hands hands = this->hands();
  std::uint32_t* wanted = wanted_.open_end();
  for (const ChannelNumber& number : credits) {
    prefetch(&hands.outputs[port_of_channel(credits.ahead(number))]);
    const unsigned v = virtual_channel_of(number);
    Output& output = hands.outputs[port_of_channel(number)];
    OutputChannel& channel = output.channels[v];
    if (++channel.credits != 1) continue;
    if (((output.free >> v) & 1) != 0) continue;
    const std::uint32_t input = output.router_port + hands.shape.port_of(channel.owner);
    const unsigned waiting = hands.shape.channel_of(channel.owner);
    if (hands.inputs[input].channels[waiting].count != 0) wanted = make_ready(hands, input, waiting, wanted);
  }
  wanted_.open_end() = wanted;
  counts.credits_under_way -= credits.size();
  credits.clear();
}

/// An active channel with a flit, which is ready if it has a credit. Returns the end of the list of wanted outputs.
template <typename Room>
std::uint32_t* Tile<Room>::make_ready(const Hands& hands, std::uint32_t port, unsigned v, std::uint32_t* wanted) {
  const Input& input = hands.inputs[port];
  const InputChannel& channel = input.channels[v];
  const std::uint32_t there = input.router_port + channel.output;
  Output& output = hands.outputs[there];
  if (output.channels[channel.output_channel].credits == 0) return wanted;
  *wanted = there;
  wanted += output.ready == 0 ? 1 : 0;
  output.ready |= bit<Set>(input.first_member + v);
  return wanted;
}

template <typename Room>
void Tile<Room>::send(const Packet& packet) {
  const std::uint32_t place = packets_.take();
  packets_[place] = packet;
  const std::uint32_t node = packet.source - first_node_;
  Source& source = sources_[node];
  source.flit.packet = (number_ << tile_shift) | place;
  source.flit.destination = static_cast<std::uint16_t>(packet.destination);
  source.flit.tie_up = packet.tie_up & 0x7fff;
  source.left = packet.flits;
  source.begun = false;
  source.sending = true;
  sending_.add(node);
  counts.flits_under_way += packet.flits;
  counts.created_sum += packet.created * packet.flits;
}

template <typename Room>
void Tile<Room>::finish_cycle() {
  inject();
  open_lists();
  if (settings_.routing_delay > 1) begin_routes();
  match();
  // Channels that are given in this cycle are too late for its matches, and those that become free are too late to be
  // given.
  give_channels();
  use_matches();
  close_lists();
  if (settings_.routing_delay > 1) end_routes();
  ++time;
}

/// Finds the lists to which this cycle's flits and credits are added.
template <typename Room>
void Tile<Room>::open_lists() {
  for_each_list([&](std::size_t i, auto& flits, auto& credits) {
    flit_ends_[i] = flits.open_end();
    credit_ends_[i] = credits.open_end();
  });
}

template <typename Room>
void Tile<Room>::close_lists() {
  for_each_list([&](std::size_t i, auto& flits, auto& credits) {
    if (settings_.switch_traversal_delay == 1) flits.open_end() = flit_ends_[i];
    credits.open_end() = credit_ends_[i];
  });
}

template <typename Room>
template <typename Visit>
void Tile<Room>::for_each_list(Visit visit) {
  visit(own_nodes, ejections_.day(time + 3), source_credit_arrivals_.day(time + 2));
  for (std::size_t i = 0; i < outboxes_.size(); ++i) {
    visit(own_tile + i, outboxes_[i].arrivals.day(time + settings_.link_latency + 2),
          outboxes_[i].credits.day(time + settings_.credit_latency + 1 + settings_.credit_delay));
  }
}

/// Sources send a flit each.
template <typename Room>
void Tile<Room>::inject() {
  EventList<FlitEvent>& arrivals = own_outbox().arrivals.day(time + 2);
  FlitEvent* flits = arrivals.open_end();
  std::uint32_t* keep = sending_.open_begin();
  for (const std::uint32_t node : sending_) {
    Source& source = sources_[node];
    if (!source.begun && source.with_credit != 0) {
      source.begun = true;
      source.channel = static_cast<std::uint8_t>(first_from(source.with_credit, source.pointer));
      source.pointer = behind(source.channel, shape_.virtual_channels());
      packets_[source.flit.packet & place_mask].entered = time;
    }
    if ((source.with_credit & bit<ChannelBits>(source.channel)) == 0) {
      // Woken by the next credit.
      source.sending = false;
      continue;
    }
    std::uint16_t& credits = source_credits_[channel_number(node, source.channel)];
    --credits;
    source.with_credit &= ~(ChannelBits{credits == 0} << source.channel);
    --source.left;
    *flits = {source.flit, source.entry + source.channel};
    flits->flit.last = source.left == 0;
    ++flits;
    if (source.left != 0) {
      *keep++ = node;
    } else {
      source.sending = false;
      freed_now_.push_back(first_node_ + node);
    }
  }
  sending_.open_end() = keep;
  arrivals.open_end() = flits;
}

template <typename Room>
void Tile<Room>::begin_routes() {
  for (const std::uint32_t router : routing_routers_.list()) {
    Routing& routing = routing_[router];
    if (routing.under_way != 0) continue;
    routing.under_way = routing.waiting;
    routing.waiting = 0;
    routing.end = time + settings_.routing_delay - 1;
  }
}

template <typename Room>
void Tile<Room>::end_routes() {
  const Hands hands = this->hands();
  const unsigned day = tomorrow();
  std::uint32_t* asked = asked_[day].open_end();
  for (const std::uint32_t router : routing_routers_.list()) {
    Routing& routing = routing_[router];
    if (routing.end != time) continue;
    for (Set left = routing.under_way; left != 0; left &= left - 1) {
      const std::uint32_t port = router * shape_.ports() + shape_.port_of(lowest(left));
      const unsigned v = shape_.channel_of(lowest(left));
      Input& input = inputs_[port];
      const Flit head = hands.place(port, v, input.channels[v].front);
      const bool upper_half = v >= shape_.virtual_channels() / 2;
      const Lattice::Step step =
          lattice_.route(first_router_ + router, head.destination, input.number, upper_half, head.tie_up);
      asked = ask_for_channel<true>(hands, input, v, step, day, asked);
    }
    routing.under_way = 0;
    if (routing.waiting == 0) routing_routers_.remove(router);
  }
  asked_[day].open_end() = asked;
}

/// Heads that came to the front of their channel in the cycle before are routed as if they arrived now.
template <typename Room>
void Tile<Room>::route_heads() {
  if (heads_.size() == 0) return;
  dispatch_routes([&]<RouteBy how>() { route_heads_on<how>(); });
  heads_.clear();
}

template <typename Room>
template <typename Tile<Room>::RouteBy how>
void Tile<Room>::route_heads_on() {
  const Hands hands = this->hands();
  if constexpr (how == RouteBy::stage) {
    for (const ChannelNumber head : heads_) {
      const Input& input = hands.inputs[port_of_channel(head)];
      routing_[input.routes].waiting |= bit<Set>(input.first_member + virtual_channel_of(head));
      routing_routers_.add(input.routes);
    }
  } else {
    const Routes routes = this->routes();
    const unsigned day = day_of_requests();
    std::uint32_t* asked = asked_[day].open_end();
    for (const ChannelNumber number : heads_) {
      const std::uint32_t port = port_of_channel(number);
      const unsigned v = virtual_channel_of(number);
      Input& input = hands.inputs[port];
      const Flit head = hands.place(port, v, input.channels[v].front);
      asked = ask_for_channel<how == RouteBy::torus>(hands, input, v, route<how>(routes, hands, input, v, head), day,
                                                     asked);
    }
    asked_[day].open_end() = asked;
  }
}

/// Returns the end of the list of outputs that are asked.
template <typename Room>
template <bool halved>
std::uint32_t* Tile<Room>::ask_for_channel(const Hands& hands, Input& input, unsigned v, Lattice::Step step,
                                           unsigned day, std::uint32_t* asked) {
  input.channels[v].output = static_cast<std::uint8_t>(step.output);
  const std::uint32_t port = input.router_port + step.output;
  Output& output = hands.outputs[port];
  const unsigned member = input.first_member + v;
  Set& asking = output.asking[day];
  *asked = port;
  asked += asking == 0 ? 1 : 0;
  asking |= bit<Set>(member);
  if constexpr (halved) output.upper = (output.upper & ~bit<Set>(member)) | (Set{step.upper_half} << member);
  return asked;
}

template <typename Room>
void Tile<Room>::give_channels() {
  if (halves_ == 2) {
    give_channels_on<true>();
  } else {
    give_channels_on<false>();
  }
}

template <typename Room>
template <bool halved>
void Tile<Room>::give_channels_on() {
  const Hands hands = this->hands();
  const unsigned today = this->today();
  const unsigned tomorrow = this->tomorrow();
  std::uint32_t* wanted = next_wanted_.open_end();
  std::uint32_t* asked = asked_[tomorrow].open_end();
  for (const std::uint32_t& entry : asked_[today]) {
    prefetch(&hands.outputs[asked_[today].ahead(entry)]);
    const std::uint32_t port = entry;
    Output& output = hands.outputs[port];
    const Set ready = output.ready;
    const Set asking = output.asking[today];
    output.asking[today] = 0;
    for (unsigned half = 0; half < (halved ? 2 : 1); ++half) {
      const Set of_half = !halved ? asking : half == 0 ? asking & ~output.upper : asking & output.upper;
      const ChannelBits may_use = halved ? allowed(output.number, half) : ~ChannelBits{0};
      const ChannelBits available = output.free & may_use;
      if (halved && of_half == 0) continue;
      if (available == 0) {
        output.waiting |= of_half;
      } else if ((of_half & (of_half - 1)) == 0) {
        give_channel(hands, output, of_half, available);
      } else if ((available & (available - 1)) == 0) {
        // The channel chooses.
        const Set winner = bit<Set>(first_from(of_half, output.channels[lowest(available)].pointer));
        give_channel(hands, output, winner, available);
        output.waiting |= of_half & ~winner;
      } else if (const Set left = give_contested_channels(output, of_half, available); left != 0) {
        if ((output.free & may_use) == 0) {
          output.waiting |= left;
        } else {
          *asked = port;
          asked += output.asking[tomorrow] == 0 ? 1 : 0;
          output.asking[tomorrow] |= left;
        }
      }
    }
    *wanted = port;
    // Whether it was wanted before cannot be predicted.
    wanted += static_cast<unsigned>(ready == 0) & static_cast<unsigned>(output.ready != 0);
  }
  asked_[today].clear();
  asked_[tomorrow].open_end() = asked;
  next_wanted_.open_end() = wanted;
}

/// allocate_channels() for one request.
template <typename Room>
void Tile<Room>::give_channel(const Hands& hands, Output& output, Set asking, ChannelBits available) {
  const Shape<Room> shape = hands.shape;
  const unsigned member = lowest(asking);
  InputChannel& channel = hands.inputs[output.router_port + shape.port_of(member)].channels[shape.channel_of(member)];
  const unsigned base = shape.member(output.number, 0);
  // A pointer to a member before or behind the output's channels stands for the first of them.
  const auto from_pointer = static_cast<ChannelBits>((~Set{0} << channel.pointer) >> base);
  const unsigned v = first_preferred(available, from_pointer);
  channel.pointer = behind(base + v, shape.members());
  channel.output_channel = static_cast<std::uint8_t>(v);
  OutputChannel& given = output.channels[v];
  given.pointer = behind(member, shape.members());
  given.owner = static_cast<std::uint8_t>(member);
  output.free = static_cast<typename Room::Channels>(output.free & ~bit<ChannelBits>(v));
  if (given.credits != 0) output.ready |= asking;
}

/// Returns the requests that are left.
template <typename Room>
typename Tile<Room>::Set Tile<Room>::give_contested_channels(Output& output, Set asking, ChannelBits available) {
  const Shape<Room> shape = shape_;
  const unsigned base = shape.member(output.number, 0);
  Input* const inputs = &inputs_[output.router_port];
  Set left = asking;
  allocate_channels(asking, {base, shape.virtual_channels(), available}, shape.members(), settings_.allocator,
                    settings_.iterations, InputChannels{shape, inputs}, OutputChannels{&output, base},
                    [&](unsigned member, unsigned v) {
                      InputChannel& channel = inputs[shape.port_of(member)].channels[shape.channel_of(member)];
                      channel.output_channel = static_cast<std::uint8_t>(v);
                      output.channels[v].owner = static_cast<std::uint8_t>(member);
                      output.free = static_cast<typename Room::Channels>(output.free & ~bit<ChannelBits>(v));
                      left &= ~bit<Set>(member);
                      if (output.channels[v].credits != 0) output.ready |= bit<Set>(member);
                    });
  return left;
}

/// Finds the matches of inputs and outputs, or offers of which each input has still to accept one.
template <typename Room>
void Tile<Room>::match() {
  if (outputs_choose_) {
    if (settings_.speculative) {
      make_offers<true>();
    } else {
      make_offers<false>();
    }
  } else if (inputs_choose_) {
    match_by_inputs();
  } else {
    match_by_requests();
  }
}

/// One iteration of iSLIP, and separable_output_first without requests that come after others: every output that is
/// wanted offers to serve the first input from its pointer on; every input will accept the first offer from its own.
template <typename Room>
template <bool speculative>
void Tile<Room>::make_offers() {
  const Hands hands = this->hands();
  Offer* offer = offers_.open_end();
  for (const std::uint32_t& port : wanted_) {
    prefetch(&hands.outputs[wanted_.ahead(port)]);
    const Output& output = hands.outputs[port];
    offer = make_offer<speculative>(hands, port, output.ready, speculative ? hopeful(output) : Set{0}, offer);
  }
  if constexpr (speculative) {
    // Heads that ask for a channel may want the switch too.
    for (const std::uint32_t port : asked_[today()]) {
      const Output& output = hands.outputs[port];
      if (output.ready != 0) continue;
      if (const Set asking = hopeful(output); asking != 0) offer = make_offer<true>(hands, port, 0, asking, offer);
    }
  }
  offers_.open_end() = offer;
}

/// Returns the end of the list of offers. Channels of an input that are hopeful come after those that are ready.
template <typename Room>
template <bool speculative>
typename Tile<Room>::Offer* Tile<Room>::make_offer(const Hands& hands, std::uint32_t port, Set ready, Set hopeful,
                                                   Offer* offer) {
  const Shape<Room> shape = hands.shape;
  const Output& output = hands.outputs[port];
  // The first channel from the pointer's first one on is of the first input from the pointer on.
  const unsigned from = shape.port_of(first_from(ready | hopeful, shape.member(output.pointer, 0)));
  const std::uint32_t there = output.router_port + from;
  Input& input = hands.inputs[there];
  const unsigned v = hands.template choose<speculative>(input, ready, hopeful);
  input.offers |= bit<PortSet>(output.number);
  offer->output = port;
  offer->input = channel_number(there, v);
  return offer + 1;
}

/// Input channels whose heads may get a channel of the output with a credit in this cycle.
template <typename Room>
typename Tile<Room>::Set Tile<Room>::hopeful(const Output& output) const {
  ChannelBits with_credit = 0;
  for (ChannelBits left = output.free; left != 0; left &= left - 1) {
    const unsigned v = lowest(left);
    with_credit |= ChannelBits{output.channels[v].credits != 0} << v;
  }
  const Set asking = output.asking[today()];
  if (halves_ == 1) return with_credit != 0 ? asking : 0;
  Set found = 0;
  if ((with_credit & allowed(output.number, 0)) != 0) found |= asking & ~output.upper;
  if ((with_credit & allowed(output.number, 1)) != 0) found |= asking & output.upper;
  return found;
}

/// separable_input_first without requests that come after others: every input with a channel that is ready chooses the
/// first output from its pointer on, every output the first input from its own.
template <typename Room>
void Tile<Room>::match_by_inputs() {
  const Hands hands = this->hands();
  const Shape<Room> shape = hands.shape;
  std::uint32_t* choosers = choosers_.open_end();
  for (const std::uint32_t port : wanted_) {
    const Output& output = hands.outputs[port];
    for (Set left = output.ready; left != 0;) {
      const unsigned from = shape.port_of(lowest(left));
      const std::uint32_t there = output.router_port + from;
      PortSet& requests = hands.inputs[there].offers;
      *choosers = there;
      choosers += requests == 0 ? 1 : 0;
      requests |= bit<PortSet>(output.number);
      left &= ~(Set{all_} << shape.member(from, 0));
    }
  }
  choosers_.open_end() = choosers;
  for (const std::uint32_t there : choosers_) {
    Input& input = hands.inputs[there];
    Output& output = hands.outputs[input.router_port + first_from(input.offers, input.pointer)];
    input.offers = 0;
    output.chosen_by |= bit<PortSet>(input.number);
  }
  choosers_.clear();
  Offer* match = offers_.open_end();
  for (const std::uint32_t port : wanted_) {
    Output& output = hands.outputs[port];
    if (output.chosen_by == 0) continue;
    const std::uint32_t there = output.router_port + first_from(output.chosen_by, output.pointer);
    output.chosen_by = 0;
    Input& input = hands.inputs[there];
    input.pointer = output.next_number;
    output.pointer = input.next_number;
    *match++ = {port, channel_number(there, hands.template choose<false>(input, output.ready, 0))};
  }
  offers_.open_end() = match;
}

/// The other allocators, router by router.
template <typename Room>
void Tile<Room>::match_by_requests() {
  const auto match_routers = [this](const EventList<std::uint32_t>& outputs) {
    for (const std::uint32_t port : outputs) {
      const std::uint32_t router_port = outputs_[port].router_port;
      std::uint64_t& matched = matched_at_[router_port / shape_.ports()];
      if (matched == time) continue;
      matched = time;
      match_router(router_port);
    }
  };
  match_routers(wanted_);
  // Heads that ask for a channel may want the switch too.
  if (settings_.speculative) match_routers(asked_[today()]);
}

template <typename Room>
void Tile<Room>::match_router(std::uint32_t router_port) {
  collect_requests(router_port);
  Input* const inputs = &inputs_[router_port];
  Output* const outputs = &outputs_[router_port];
  const Hands hands = this->hands();
  allocate_switch(
      requests_, settings_.allocator, settings_.iterations, inputs, outputs, [&](unsigned input, unsigned output) {
        const unsigned v = hands.template choose<true>(inputs[input], outputs[output].ready, hopeful_[output]);
        offers_.add({router_port + output, channel_number(router_port + input, v)});
      });
  requests_.clear();
}

/// Which inputs have a channel that requests which outputs.
template <typename Room>
void Tile<Room>::collect_requests(std::uint32_t router_port) {
  const auto add = [&](unsigned output, Set channels, bool deferred) {
    while (channels != 0) {
      const unsigned input = shape_.port_of(lowest(channels));
      channels &= ~(Set{all_} << shape_.member(input, 0));
      if (!deferred || !requests_.has(input, output)) requests_.add(input, output, deferred);
    }
  };
  for (unsigned output = 0; output < shape_.ports(); ++output) {
    const Output& port = outputs_[router_port + output];
    add(output, port.ready, false);
    if (!settings_.speculative) continue;
    hopeful_[output] = hopeful(port);
    add(output, hopeful_[output], true);
  }
}

template <typename Room>
void Tile<Room>::use_matches() {
  const auto use = [this]<bool offered, bool speculative>() {
    if (settings_.switch_traversal_delay == 1) {
      use_matches_on<offered, speculative, true>();
    } else {
      use_matches_on<offered, speculative, false>();
    }
  };
  if (offers_.size() != 0) {
    if (outputs_choose_ && settings_.speculative) {
      use.template operator()<true, true>();
    } else if (outputs_choose_) {
      use.template operator()<true, false>();
    } else {
      use.template operator()<false, true>();
    }
    offers_.clear();
  }
  // Where every wanted output has made an offer, use_matches_on() has kept those that still are.
  if (!outputs_choose_ || settings_.speculative) keep_wanted();
  wanted_.clear();
  std::swap(wanted_, next_wanted_);
}

template <typename Room>
template <bool offered, bool speculative, bool one_cycle>
void Tile<Room>::use_matches_on() {
  const Hands hands = this->hands();
  Ends ends{heads_.open_end(), asked_[tomorrow()].open_end()};
  std::uint32_t* wanted = next_wanted_.open_end();
  std::size_t unused = 0;
  for (const Offer& entry : offers_) {
    const Offer later = offers_.ahead(entry);
    prefetch(&hands.inputs[port_of_channel(later.input)]);
    prefetch(&hands.outputs[later.output]);
    const Offer match = entry;
    Input& input = hands.inputs[port_of_channel(match.input)];
    Output& output = hands.outputs[match.output];
    if constexpr (offered) {
      const PortSet offers = input.offers;
      const unsigned number = output.number;
      *wanted = match.output;
      // The offers of others are gone once the input has accepted one.
      if (offers != bit<PortSet>(number) &&
          ((offers & bit<PortSet>(number)) == 0 || first_from(offers, input.pointer) != number)) {
        if constexpr (!speculative) ++wanted;
        ++unused;
        continue;
      }
      input.offers = 0;
      input.pointer = output.next_number;
      output.pointer = input.next_number;
    }
    const unsigned v = virtual_channel_of(match.input);
    input.first_choices = static_cast<typename Room::Channels>(~ChannelBits{1} << v);
    // A speculative head may still have no output channel, or one without credit: then the match is wasted.
    if (speculative && ((output.ready >> (input.first_member + v)) & 1) == 0) {
      ++unused;
      continue;
    }
    pass<one_cycle>(hands, ends, input, output, match);
    if constexpr (offered && !speculative) wanted += output.ready != 0 ? 1 : 0;
  }
  heads_.open_end() = ends.heads;
  asked_[tomorrow()].open_end() = ends.asked;
  next_wanted_.open_end() = wanted;
  counts.flit_hops += offers_.size() - unused;
  counts.credits_under_way += offers_.size() - unused;
}

/// Of the outputs that were wanted, and of those that got a flit since, those with one that is ready are wanted in the
/// next cycle.
template <typename Room>
void Tile<Room>::keep_wanted() {
  std::uint32_t* keep = next_wanted_.open_begin();
  for (const std::uint32_t port : next_wanted_) {
    *keep = port;
    keep += outputs_[port].ready != 0 ? 1 : 0;
  }
  for (const std::uint32_t port : wanted_) {
    *keep = port;
    keep += outputs_[port].ready != 0 ? 1 : 0;
  }
  next_wanted_.open_end() = keep;
}

/// A flit passes the switch, and a credit goes back.
template <typename Room>
template <bool one_cycle>
void Tile<Room>::pass(const Hands& hands, Ends& ends, Input& from, Output& to, Offer match) {
  const unsigned v = virtual_channel_of(match.input);
  InputChannel& channel = from.channels[v];
  const Flit flit = hands.place(port_of_channel(match.input), v, channel.front);
  const unsigned out = channel.output_channel;
  const unsigned left = channel.count - 1U;
  channel.count = static_cast<std::uint16_t>(left);
  // An empty buffer begins at its first slot again.
  channel.front = static_cast<std::uint16_t>(left == 0 ? 0 : channel.front + 1);
  OutputChannel& to_channel = to.channels[out];
  const unsigned credits = to_channel.credits - 1U;
  to_channel.credits = static_cast<std::uint16_t>(credits);

  *(*from.credits)++ = from.upstream + v;
  if constexpr (one_cycle) {
    // Written in place: a copy of the whole would have to wait for both parts.
    FlitEvent* const event = (*to.flits)++;
    event->flit = flit;
    event->channel = to.downstream + out;
  } else {
    depart(to, {flit, to.downstream + out});
  }

  if (flit.last == 0) {
    if (left != 0 && credits != 0) return;
  } else {
    to.free = static_cast<typename Room::Channels>(to.free | bit<ChannelBits>(out));
    channel.output_channel = InputChannel::none;
    *ends.heads = match.input;
    ends.heads += left != 0 ? 1 : 0;
    if (to.waiting != 0) {
      Set& asking = to.asking[tomorrow()];
      *ends.asked = match.output;
      ends.asked += asking == 0 ? 1 : 0;
      asking |= to.waiting;
      to.waiting = 0;
    }
  }
  to.ready &= ~bit<Set>(from.first_member + v);
}

/// Puts a flit that won the switch in this cycle on its link later. Traversal admits a batch when the previous one has
/// ended; flits of a batch for the same output follow each other.
template <typename Room>
void Tile<Room>::depart(const Output& to, const FlitEvent& event) {
  const unsigned delay = settings_.switch_traversal_delay;
  std::uint64_t& batch_end = batch_ends_[to.router_port / shape_.ports()];
  const bool let_in = batch_end <= time + delay;
  if (let_in) batch_end = std::max(time + 1, batch_end) + delay;
  std::uint64_t& last = last_departures_[to.router_port + to.number];
  last = std::max(batch_end - 1, last + 1);
  const auto list = static_cast<std::uint32_t>(to.flits - flit_ends_.data());
  if (list == own_nodes) {
    ejections_.day(last + 2).add(event);
  } else {
    outboxes_[list - own_tile].arrivals.day(last + settings_.link_latency + 1).add(event);
  }
}

}  // namespace pimsweep::hardware::noc::router
