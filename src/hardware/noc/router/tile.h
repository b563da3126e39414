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
  Tile(const Lattice& lattice, const RouterSettings& settings, const std::vector<std::uint32_t>& first_routers,
       unsigned number, const std::vector<std::unique_ptr<Tile>>& tiles, std::pmr::monotonic_buffer_resource& memory);

  /// Joins the tile to those to which its links lead, once all tiles are there and before the first cycle.
  void connect();

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
  static constexpr unsigned round_bits = 6;
  /// Lists of events: of the tile's own nodes, of the tile, and then of others to which links lead.
  static constexpr std::uint32_t own_nodes = 0;
  static constexpr std::uint32_t own_tile = 1;
  /// Heads whose route takes two cycles or more: those that wait for it, and those whose route is being computed.
  struct Routing {
    Set waiting = 0;
    Set under_way = 0;
    std::uint64_t end = 0;
  };
  struct Match {
    std::uint32_t port;
    std::uint8_t output;
    std::uint8_t virtual_channel;
  };
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
  };
  /// Where the events of this cycle go.
  struct Ends {
    FlitEvent** flits;
    ChannelNumber** credits;
    /// Heads that come to the front, and outputs that are asked for channels.
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

  Hands hands() { return {shape_, inputs_.data(), outputs_.data(), buffers_, slot_size_, slot_mask_}; }
  /// Virtual channels of an output that a packet may use.
  ChannelBits allowed(unsigned output, unsigned half) const { return output >= node_port_ ? all_ : half_[half]; }

  void join_ports(const Lattice& lattice, const std::vector<std::uint32_t>& first_routers,
                  std::pmr::monotonic_buffer_resource& memory);
  void make_lists(const std::vector<std::uint32_t>& tiles, std::pmr::monotonic_buffer_resource& memory);
  template <typename Visit>
  void for_each_list(Visit visit);
  void open_lists();
  void close_lists();

  Outbox& own_outbox() { return outboxes_[own_tile - 1]; }
  void take_back_packets();
  void take_flits();
  void apply_source_credits();
  void receive(EventList<FlitEvent>& arrivals);
  template <bool routes_heads, Topology topology>
  void receive_on(EventList<FlitEvent>& arrivals);
  void apply_credits(EventList<ChannelNumber>& credits);
  [[gnu::always_inline]] static inline std::uint32_t* make_ready(const Hands& hands, std::uint32_t port, unsigned v,
                                                                 std::uint32_t* wanted);

  void inject(std::uint32_t node);
  void begin_routes();
  void end_routes();
  void route_heads();
  template <Topology topology>
  void route_heads_on();
  /// A head's request for a channel.
  struct Ask {
    std::uint32_t output;
    std::uint8_t member;
    std::uint8_t half;
  };
  Ask ask_of(Input& input, unsigned v, Lattice::Step step) const {
    input.channels[v].output = static_cast<std::uint8_t>(step.output);
    return {input.router_port + step.output, static_cast<std::uint8_t>(shape_.member(input.number, v)),
            static_cast<std::uint8_t>(step.upper_half ? 1 : 0)};
  }
  [[gnu::always_inline]] static inline std::uint32_t* ask_for_channel(const Hands& hands, Ask ask,
                                                                      std::uint32_t* asked);
  void use_asks();
  void give_channels();
  template <bool halved>
  void give_channels_on();
  [[gnu::always_inline]] inline bool give_channels_of(const Hands& hands, Output& output, unsigned half,
                                                      ChannelBits allowed, ChannelBits free);
  [[gnu::noinline]] bool give_contested_channels(Output& output, unsigned half, ChannelBits available);
  void match_independently();
  void match_by_requests();
  void match_router(std::uint32_t router_port);
  void collect_requests(std::uint32_t router_port);
  template <bool one_cycle>
  [[gnu::always_inline]] inline void traverse(const Hands& hands, Ends& ends, std::uint32_t port, std::uint32_t there,
                                              unsigned v);
  template <bool one_cycle>
  void accept_offers();
  template <bool one_cycle>
  void use_matches();
  void depart(const Output& to, const FlitEvent& event);
  void count_traversals(std::size_t flits);

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
  /// Whether every output chooses an input, and every input one of the outputs that chose it, without regard to others.
  bool independent_;

  std::pmr::vector<Input> inputs_;
  std::pmr::vector<Output> outputs_;
  unsigned slot_mask_;
  std::size_t slot_size_;
  /// The first slots of all buffers, then the second ones: as most buffers hold few flits, few bytes are in use, and
  /// pages of others are never touched. Slots of a buffer are a power of two.
  Flit* buffers_;

  /// Outputs with a channel that is ready, each once; the input to which each of them makes an offer.
  EventList<std::uint32_t> wanted_;
  EventList<std::uint32_t> chosen_;
  /// Outputs with a request for a channel that may be granted, each once (`listed`).
  EventList<std::uint32_t> asked_;
  /// Heads to be routed at the end of this cycle's steps and of the next one's; requests of heads that were routed as
  /// they arrived.
  EventList<ChannelNumber> heads_;
  EventList<ChannelNumber> next_heads_;
  EventList<Ask> asks_;

  std::vector<Source> sources_;
  std::vector<std::uint16_t> source_credits_;
  ActiveSet active_sources_;
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
  EventList<Match> matches_;
};

template <typename Room>
Tile<Room>::Tile(const Lattice& lattice, const RouterSettings& settings,
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
      independent_(!settings.speculative && settings.iterations == 1 &&
                   settings.allocator != Allocator::separable_input_first),
      inputs_(std::size_t{routers_} * lattice.ports(), &memory),
      outputs_(inputs_.size(), &memory),
      slot_mask_(std::bit_ceil(settings.buffer_size) - 1),
      slot_size_(inputs_.size() * settings.virtual_channels),
      buffers_(std::pmr::polymorphic_allocator<Flit>(&memory).allocate(slot_size_ * (slot_mask_ + 1))),
      wanted_(outputs_.size(), memory),
      chosen_(outputs_.size(), memory),
      asked_(outputs_.size(), memory),
      heads_(slot_size_, memory),
      next_heads_(slot_size_, memory),
      asks_(inputs_.size(), memory),
      sources_(lattice.first_node(first_routers[number + 1]) - first_node_),
      source_credits_(sources_.size() << channel_number_bits, static_cast<std::uint16_t>(settings.buffer_size)),
      active_sources_(sources_.size()),
      ejections_(3 * settings.switch_traversal_delay + 3, sources_.size(), memory),
      source_credit_arrivals_(2, sources_.size(), memory),
      routing_(settings.routing_delay > 1 ? routers_ : 0),
      routing_routers_(routers_),
      batch_ends_(settings.switch_traversal_delay > 1 ? routers_ : 0),
      last_departures_(settings.switch_traversal_delay > 1 ? outputs_.size() : 0),
      matched_at_(independent_ ? 0 : routers_, ~std::uint64_t{0}),
      matches_(inputs_.size(), memory) {
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
  // The far end of a link: a port of another router, or this one where nothing is attached.
  const auto link_to = [&](std::uint32_t router, unsigned port) {
    const auto after = std::upper_bound(first_routers.begin(), first_routers.end(), router);
    const auto tile = static_cast<std::uint32_t>(after - first_routers.begin() - 1);
    const auto known = std::find(tiles.begin(), tiles.end(), tile);
    const auto list = own_tile + static_cast<std::uint32_t>(known - tiles.begin());
    if (known == tiles.end()) tiles.push_back(tile);
    return Link{channel_number((router - first_routers[tile]) * ports + port, 0), list};
  };
  for (std::uint32_t port = 0; port < outputs_.size(); ++port) {
    Output& output = outputs_[port];
    Input& input = inputs_[port];
    input.router = port / ports;
    output.router_port = input.router_port = input.router * ports;
    output.number = input.number = static_cast<std::uint8_t>(port % ports);
    output.next_number = input.next_number = behind(output.number, ports);
    input.first_member = static_cast<std::uint8_t>(shape_.member(input.number, 0));
    output.free = output.with_credit = all_;
    for (OutputChannel& channel : output.channels) {
      channel.credits = static_cast<std::uint16_t>(settings_.buffer_size);
    }
    const std::uint32_t router = first_router_ + input.router;
    if (lattice.is_node_port(router, output.number)) {
      output.downstream = {channel_number(port, 0), own_nodes};
      continue;
    }
    const std::uint32_t there = lattice.neighbor(router, output.number);
    if (there == router) continue;
    // Links go both ways between the same pair of ports.
    output.downstream = input.upstream = link_to(there, lattice.far_port(router, output.number));
  }
  for (std::uint32_t node = 0; node < sources_.size(); ++node) {
    const std::uint32_t there = first_node_ + node;
    const std::uint32_t port = (lattice.router_of(there) - first_router_) * ports + lattice.port_of(there);
    sources_[node].entry = channel_number(port, 0);
    sources_[node].with_credit = all_;
    inputs_[port].upstream = {channel_number(node, 0), own_nodes};
  }
  make_lists(tiles, memory);
}

/// A link carries at most one flit and one credit in a cycle, so that the lists never grow.
template <typename Room>
void Tile<Room>::make_lists(const std::vector<std::uint32_t>& tiles, std::pmr::monotonic_buffer_resource& memory) {
  std::vector<std::size_t> links(own_tile + tiles.size());
  for (const Output& output : outputs_) ++links[output.downstream.list];
  // Flits of sources come here, and credits of nodes.
  links[own_tile] += links[own_nodes];
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const std::size_t capacity = links[own_tile + i];
    outboxes_.push_back(
        {tiles[i],
         Calendar<FlitEvent>(3 * settings_.switch_traversal_delay + settings_.link_latency + 2, capacity, memory),
         Calendar<ChannelNumber>(settings_.credit_latency + settings_.credit_delay + 2, capacity, memory)});
  }
  flit_ends_.resize(links.size());
  credit_ends_.resize(links.size());
}

template <typename Room>
void Tile<Room>::connect() {
  for (Outbox& outbox : outboxes_) tiles_[outbox.tile]->inboxes_.push_back(&outbox);
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
  if (time % (1U << round_bits) == 0) take_back_packets();
  if (settings_.routing_delay == 0) use_asks();
  if (settings_.routing_delay != 1) route_heads();
}

/// Those of the round before, to which nothing is added now.
template <typename Room>
void Tile<Room>::take_back_packets() {
  for (const auto& tile : tiles_) {
    std::vector<std::uint32_t>& received = tile->received_[number_][((time >> round_bits) & 1) ^ 1];
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
      received_[tile][(time >> round_bits) & 1].push_back(place);
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
    if (source.left != 0) active_sources_.add(node);
  }
  counts.credits_under_way -= credits.size();
  credits.clear();
}

/// Flits enter input buffers. Routes of heads are computed as they arrive, unless that takes two cycles or more.
template <typename Room>
void Tile<Room>::receive(EventList<FlitEvent>& arrivals) {
  if (arrivals.size() == 0) return;
  if (settings_.routing_delay > 1) {
    receive_on<false, Topology::mesh>(arrivals);
  } else if (lattice_.topology() == Topology::mesh) {
    receive_on<true, Topology::mesh>(arrivals);
  } else if (lattice_.topology() == Topology::torus) {
    receive_on<true, Topology::torus>(arrivals);
  } else {
    receive_on<true, Topology::h_tree>(arrivals);
  }
  arrivals.clear();
}

template <typename Room>
template <bool routes_heads, Topology topology>
void Tile<Room>::receive_on(EventList<FlitEvent>& arrivals) {
  const Hands hands = this->hands();
  const Lattice::Routes routes = lattice_.routes();
  const std::uint32_t first_router = first_router_;
  ChannelNumber* heads = heads_.open_end();
  Ask* asks = asks_.open_end();
  std::uint32_t* wanted = wanted_.open_end();
  for (const FlitEvent& event : arrivals) {
    prefetch(&hands.inputs[port_of_channel(arrivals.ahead(event).channel)]);
    const std::uint32_t port = port_of_channel(event.channel);
    const unsigned v = virtual_channel_of(event.channel);
    Input& input = hands.inputs[port];
    InputChannel& channel = input.channels[v];
    const unsigned before = channel.count;
    const ChannelState state = channel.state;
    const Flit flit = event.flit;
    hands.place(port, v, channel.front + before) = flit;
    channel.count = static_cast<std::uint16_t>(before + 1);
    if (state == ChannelState::idle) {
      channel.state = ChannelState::heading;
      if constexpr (routes_heads) {
        const bool upper_half = v >= hands.shape.virtual_channels() / 2;
        *asks++ = ask_of(input, v,
                         routes.template route<topology>(first_router + input.router, flit.destination, input.number,
                                                         upper_half, flit.tie_up));
      } else {
        *heads++ = event.channel;
      }
    } else if (state == ChannelState::active && before == 0) {
      wanted = make_ready(hands, port, v, wanted);
    }
  }
  heads_.open_end() = heads;
  asks_.open_end() = asks;
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
    output.with_credit |= bit<ChannelBits>(v);
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
  if (((output.with_credit >> channel.output_channel) & 1) == 0) return wanted;
  *wanted = there;
  wanted += output.ready == 0 ? 1 : 0;
  output.ready |= bit<Set>(hands.shape.member(input.number, v));
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
  active_sources_.add(node);
  counts.flits_under_way += packet.flits;
  counts.created_sum += packet.created * packet.flits;
}

template <typename Room>
void Tile<Room>::finish_cycle() {
  for (const std::uint32_t node : active_sources_.list()) inject(node);
  open_lists();
  if (settings_.routing_delay > 1) begin_routes();
  if (independent_) {
    // Channels that are given in this cycle are too late for its matches, and those that become free are too late to be
    // given.
    match_independently();
    give_channels();
  } else {
    match_by_requests();
  }
  close_lists();
  if (settings_.routing_delay > 1) end_routes();
  if (settings_.routing_delay == 1) {
    use_asks();
    // Heads that come to the front in this cycle's steps are routed in the next one.
    route_heads();
  }
  std::swap(heads_, next_heads_);
  if (settings_.routing_delay != 1) route_heads();
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

template <typename Room>
void Tile<Room>::inject(std::uint32_t node) {
  Source& source = sources_[node];
  if (!source.begun && source.with_credit != 0) {
    source.begun = true;
    source.channel = static_cast<std::uint8_t>(first_from(source.with_credit, source.pointer));
    source.pointer = behind(source.channel, shape_.virtual_channels());
    packets_[source.flit.packet & place_mask].entered = time;
  }
  if ((source.with_credit & bit<ChannelBits>(source.channel)) == 0) {
    // Woken by the next credit.
    active_sources_.remove(node);
    return;
  }
  std::uint16_t& credits = source_credits_[channel_number(node, source.channel)];
  --credits;
  source.with_credit &= ~(ChannelBits{credits == 0} << source.channel);
  --source.left;
  FlitEvent event{source.flit, source.entry + source.channel};
  event.flit.last = source.left == 0;
  own_outbox().arrivals.day(time + 2).add(event);
  if (source.left != 0) return;
  active_sources_.remove(node);
  freed_now_.push_back(first_node_ + node);
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
      asked_.open_end() = ask_for_channel(hands, ask_of(input, v, step), asked_.open_end());
    }
    routing.under_way = 0;
    if (routing.waiting == 0) routing_routers_.remove(router);
  }
}

/// Heads that have reached the front of their channel: their route is known after this step, or they wait for the stage
/// that computes it.
template <typename Room>
void Tile<Room>::route_heads() {
  if (heads_.size() == 0) return;
  if (settings_.routing_delay > 1) {
    for (const ChannelNumber head : heads_) {
      const Input& input = inputs_[port_of_channel(head)];
      routing_[input.router].waiting |= bit<Set>(shape_.member(input.number, virtual_channel_of(head)));
      routing_routers_.add(input.router);
    }
  } else if (lattice_.topology() == Topology::mesh) {
    route_heads_on<Topology::mesh>();
  } else if (lattice_.topology() == Topology::torus) {
    route_heads_on<Topology::torus>();
  } else {
    route_heads_on<Topology::h_tree>();
  }
  heads_.clear();
}

template <typename Room>
template <Topology topology>
void Tile<Room>::route_heads_on() {
  const Hands hands = this->hands();
  const Lattice::Routes routes = lattice_.routes();
  const std::uint32_t first_router = first_router_;
  std::uint32_t* asked = asked_.open_end();
  for (const ChannelNumber number : heads_) {
    const std::uint32_t port = port_of_channel(number);
    const unsigned v = virtual_channel_of(number);
    Input& input = hands.inputs[port];
    const Flit head = hands.place(port, v, input.channels[v].front);
    const bool upper_half = v >= hands.shape.virtual_channels() / 2;
    const Lattice::Step step = routes.template route<topology>(first_router + input.router, head.destination,
                                                               input.number, upper_half, head.tie_up);
    asked = ask_for_channel(hands, ask_of(input, v, step), asked);
  }
  asked_.open_end() = asked;
}

/// Returns the end of the list of outputs that are asked.
template <typename Room>
std::uint32_t* Tile<Room>::ask_for_channel(const Hands& hands, Ask ask, std::uint32_t* asked) {
  Output& output = hands.outputs[ask.output];
  output.asking[ask.half] |= bit<Set>(ask.member);
  const unsigned may_be_given = output.free != 0 ? 1 : 0;
  *asked = ask.output;
  asked += may_be_given & ~output.listed & 1U;
  output.listed |= static_cast<std::uint8_t>(may_be_given);
  return asked;
}

template <typename Room>
void Tile<Room>::use_asks() {
  const Hands hands = this->hands();
  std::uint32_t* asked = asked_.open_end();
  for (const Ask& ask : asks_) {
    prefetch(&hands.outputs[asks_.ahead(ask).output]);
    asked = ask_for_channel(hands, ask, asked);
  }
  asked_.open_end() = asked;
  asks_.clear();
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
  const std::uint64_t now = time;
  std::uint32_t* wanted = wanted_.open_end();
  std::uint32_t* keep = asked_.open_begin();
  for (const std::uint32_t& entry : asked_) {
    prefetch(&hands.outputs[asked_.ahead(entry)]);
    const std::uint32_t port = entry;
    Output& output = hands.outputs[port];
    const ChannelBits free = output.free & ~(ChannelBits{output.freed_at == now} << output.freed);
    const bool wanted_before = output.ready != 0;
    bool more = give_channels_of(hands, output, 0, halved ? allowed(output.number, 0) : ~ChannelBits{0}, free);
    if constexpr (halved) more |= give_channels_of(hands, output, 1, allowed(output.number, 1), free);
    *wanted = port;
    wanted += !wanted_before && output.ready != 0 ? 1 : 0;
    *keep = port;
    keep += more ? 1 : 0;
    output.listed = more ? 1 : 0;
  }
  asked_.open_end() = keep;
  wanted_.open_end() = wanted;
}

/// Whether requests are left that may be granted in the next cycle.
template <typename Room>
bool Tile<Room>::give_channels_of(const Hands& hands, Output& output, unsigned half, ChannelBits allowed,
                                  ChannelBits free) {
  const ChannelBits available = free & allowed;
  const Set asking = output.asking[half];
  if (asking == 0 || available == 0) return asking != 0 && (output.free & allowed) != 0;
  if ((asking & (asking - 1)) != 0) return give_contested_channels(output, half, available);
  // allocate_channels() for one request.
  const Shape<Room> shape = hands.shape;
  const unsigned member = lowest(asking);
  const unsigned from = shape.port_of(member);
  InputChannel& channel = hands.inputs[output.router_port + from].channels[shape.channel_of(member)];
  const unsigned base = shape.member(output.number, 0);
  const unsigned start = channel.pointer - base;
  // Whether the pointer is inside cannot be predicted, so that a branch would cost more.
  const unsigned v = first_from(available, start * static_cast<unsigned>(start < shape.virtual_channels()));
  channel.pointer = behind(base + v, shape.members());
  channel.output_channel = static_cast<std::uint8_t>(v);
  channel.state = ChannelState::active;
  OutputChannel& given = output.channels[v];
  given.pointer = behind(member, shape.members());
  given.owner = static_cast<std::uint8_t>(member);
  output.free &= ~bit<ChannelBits>(v);
  output.asking[half] = 0;
  if (given.credits != 0) output.ready |= bit<Set>(member);
  return false;
}

template <typename Room>
bool Tile<Room>::give_contested_channels(Output& output, unsigned half, ChannelBits available) {
  const Shape<Room> shape = shape_;
  const unsigned base = shape.member(output.number, 0);
  Input* const inputs = &inputs_[output.router_port];
  allocate_channels(output.asking[half], {base, shape.virtual_channels(), available}, shape.members(),
                    settings_.allocator, settings_.iterations, InputChannels{shape, inputs},
                    OutputChannels{&output, base}, [&](unsigned member, unsigned v) {
                      InputChannel& channel = inputs[shape.port_of(member)].channels[shape.channel_of(member)];
                      channel.output_channel = static_cast<std::uint8_t>(v);
                      channel.state = ChannelState::active;
                      output.channels[v].owner = static_cast<std::uint8_t>(member);
                      output.free &= ~bit<ChannelBits>(v);
                      output.asking[half] &= ~bit<Set>(member);
                      if (output.channels[v].credits != 0) output.ready |= bit<Set>(member);
                    });
  return output.asking[half] != 0 && (output.free & allowed(output.number, half)) != 0;
}

/// One iteration of iSLIP, and separable_output_first, without requests that come after others: every output that is
/// wanted offers to serve the first input from its pointer on, every input accepts the first offer from its own.
template <typename Room>
void Tile<Room>::match_independently() {
  if (wanted_.size() == 0) return;
  const Hands hands = this->hands();
  const Shape<Room> shape = hands.shape;
  std::uint32_t* chosen = chosen_.open_end();
  for (const std::uint32_t& port : wanted_) {
    prefetch(&hands.outputs[wanted_.ahead(port)]);
    const Output& output = hands.outputs[port];
    // The first channel from the pointer's first one on is of the first input from the pointer on.
    const unsigned input = shape.port_of(first_from(output.ready, shape.member(output.pointer, 0)));
    const std::uint32_t there = output.router_port + input;
    hands.inputs[there].offers |= bit<PortSet>(output.number);
    *chosen++ = there;
  }
  if (settings_.switch_traversal_delay == 1) {
    accept_offers<true>();
  } else {
    accept_offers<false>();
  }
}

template <typename Room>
template <bool one_cycle>
void Tile<Room>::accept_offers() {
  const Hands hands = this->hands();
  const Shape<Room> shape = hands.shape;
  const ChannelBits all = all_;
  Ends ends{flit_ends_.data(), credit_ends_.data(), next_heads_.open_end(), asked_.open_end()};
  const std::uint32_t* chosen = chosen_.begin();
  std::uint32_t* keep = wanted_.open_begin();
  std::size_t refused = 0;
  for (const std::uint32_t port : wanted_) {
    const std::uint32_t there = *chosen++;
    Input& input = hands.inputs[there];
    Output& output = hands.outputs[port];
    const unsigned number = output.number;
    const PortSet offers = input.offers;
    *keep = port;
    // The offers of others are gone once the input has accepted one.
    if (offers != bit<PortSet>(number) &&
        ((offers & bit<PortSet>(number)) == 0 || first_from(offers, input.pointer) != number)) {
      ++keep;
      ++refused;
      continue;
    }
    input.offers = 0;
    input.pointer = output.next_number;
    output.pointer = input.next_number;
    const auto ready = static_cast<ChannelBits>(output.ready >> input.first_member) & all;
    const unsigned v = first_from(ready, input.first_choice);
    input.first_choice = behind(v, shape.virtual_channels());
    traverse<one_cycle>(hands, ends, there, port, v);
    keep += output.ready != 0 ? 1 : 0;
  }
  next_heads_.open_end() = ends.heads;
  asked_.open_end() = ends.asked;
  count_traversals(wanted_.size() - refused);
  wanted_.open_end() = keep;
  chosen_.clear();
}

template <typename Room>
void Tile<Room>::count_traversals(std::size_t flits) {
  counts.flit_hops += flits;
  counts.credits_under_way += flits;
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
  if (settings_.speculative) match_routers(asked_);
  give_channels();
  if (settings_.switch_traversal_delay == 1) {
    use_matches<true>();
  } else {
    use_matches<false>();
  }
}

template <typename Room>
template <bool one_cycle>
void Tile<Room>::use_matches() {
  const Hands hands = this->hands();
  Ends ends{flit_ends_.data(), credit_ends_.data(), next_heads_.open_end(), asked_.open_end()};
  std::size_t flits = 0;
  for (const Match& match : matches_) {
    Input& input = hands.inputs[match.port];
    input.first_choice = behind(match.virtual_channel, hands.shape.virtual_channels());
    const std::uint32_t output = input.router_port + match.output;
    // A speculative head may still have no output channel, or one without credit: then the grant is wasted.
    const Set ready = hands.outputs[output].ready;
    if (((ready >> hands.shape.member(input.number, match.virtual_channel)) & 1) == 0) continue;
    ++flits;
    traverse<one_cycle>(hands, ends, match.port, output, match.virtual_channel);
  }
  next_heads_.open_end() = ends.heads;
  asked_.open_end() = ends.asked;
  std::uint32_t* keep = wanted_.open_begin();
  for (const std::uint32_t port : wanted_) {
    *keep = port;
    keep += outputs_[port].ready != 0 ? 1 : 0;
  }
  wanted_.open_end() = keep;
  count_traversals(flits);
  matches_.clear();
}

template <typename Room>
void Tile<Room>::match_router(std::uint32_t router_port) {
  collect_requests(router_port);
  Input* const inputs = &inputs_[router_port];
  Output* const outputs = &outputs_[router_port];
  allocate_switch(
      requests_, settings_.allocator, settings_.iterations, inputs, outputs, [&](unsigned input, unsigned output) {
        // Channels with an output channel come before those without.
        const unsigned shift = shape_.member(input, 0);
        const auto ready = static_cast<ChannelBits>(outputs[output].ready >> shift) & all_;
        const auto hopeful = static_cast<ChannelBits>(hopeful_[output] >> shift) & all_;
        const unsigned v = first_from(ready != 0 ? ready : hopeful, inputs[input].first_choice);
        matches_.add({router_port + input, static_cast<std::uint8_t>(output), static_cast<std::uint8_t>(v)});
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
    // Heads that may get an output channel with a credit in this cycle.
    Set hopeful = 0;
    for (unsigned half = 0; half < halves_; ++half) {
      if ((port.free & port.with_credit & allowed(output, half)) != 0) hopeful |= port.asking[half];
    }
    hopeful_[output] = hopeful;
    add(output, hopeful, true);
  }
}

/// A flit passes the switch, and a credit goes back.
template <typename Room>
template <bool one_cycle>
void Tile<Room>::traverse(const Hands& hands, Ends& ends, std::uint32_t port, std::uint32_t there, unsigned v) {
  Input& from = hands.inputs[port];
  InputChannel& channel = from.channels[v];
  Output& to = hands.outputs[there];
  const Flit flit = hands.place(port, v, channel.front);
  const unsigned out = channel.output_channel;
  const unsigned left = channel.count - 1U;
  channel.count = static_cast<std::uint16_t>(left);
  // An empty buffer begins at its first slot again.
  channel.front = static_cast<std::uint16_t>(left == 0 ? 0 : channel.front + 1);
  OutputChannel& to_channel = to.channels[out];
  const unsigned credits = to_channel.credits - 1U;
  to_channel.credits = static_cast<std::uint16_t>(credits);
  if (credits == 0) to.with_credit &= ~bit<ChannelBits>(out);

  *ends.credits[from.upstream.list]++ = from.upstream.channel + v;
  if constexpr (one_cycle) {
    // Written in place: a copy of the whole would have to wait for both parts.
    FlitEvent* const event = ends.flits[to.downstream.list]++;
    event->flit = flit;
    event->channel = to.downstream.channel + out;
  } else {
    depart(to, {flit, to.downstream.channel + out});
  }

  if (flit.last != 0) {
    to.free |= bit<ChannelBits>(out);
    to.freed = static_cast<std::uint8_t>(out);
    to.freed_at = time;
    channel.state = left != 0 ? ChannelState::heading : ChannelState::idle;
    *ends.heads = channel_number(port, v);
    ends.heads += left != 0 ? 1 : 0;
    const unsigned asked = (to.asking[0] | to.asking[1]) != 0 ? 1 : 0;
    *ends.asked = there;
    ends.asked += asked & ~to.listed & 1U;
    to.listed |= static_cast<std::uint8_t>(asked);
  } else if (left != 0 && credits != 0) {
    return;
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
  if (to.downstream.list == own_nodes) {
    ejections_.day(last + 2).add(event);
  } else {
    outboxes_[to.downstream.list - own_tile].arrivals.day(last + settings_.link_latency + 1).add(event);
  }
}

}  // namespace pimsweep::hardware::noc::router
