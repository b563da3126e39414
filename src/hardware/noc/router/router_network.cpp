#include "hardware/noc/router/router_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "hardware/noc/router/active_set.h"
#include "hardware/noc/router/bits.h"
#include "hardware/noc/router/calendar.h"
#include "hardware/noc/router/channel_allocator.h"
#include "hardware/noc/router/router_state.h"
#include "hardware/noc/router/switch_allocator.h"

namespace pimsweep::hardware::noc::router {

namespace {

template <typename Room>
class RouterNetworkOf final : public RouterNetwork {
 public:
  RouterNetworkOf(const Lattice& lattice, const RouterSettings& settings);

  void begin_cycle() override;
  void send(const Packet& packet) override;
  void finish_cycle() override;

 private:
  using Set = typename Room::Set;
  using RouterState = Router<Room>;

  void take(const FlitEvent& event);
  void apply_source_credit(const CreditEvent& event);
  void inject(std::uint32_t node);
  void visit(std::uint32_t number);
  void receive(const FlitEvent& event);
  void apply_credit(const CreditEvent& event);
  void ask_for_route(std::uint32_t number, unsigned channel, Flit head);
  void ask_for_channel(const RoutedHead& head);
  void give_channels(RouterState& router);
  void give_channel(RouterState& router, unsigned input, unsigned output, unsigned half, unsigned v);
  void update_ready(RouterState& router, unsigned channel);
  void collect_switch_requests(const RouterState& router);
  void traverse(std::uint32_t number, unsigned input, unsigned output);
  std::uint64_t departure(std::uint32_t number, unsigned output);
  bool has_work(const RouterState& router) const;

  unsigned ports() const { return Room::exact ? Room::ports : ports_; }
  unsigned channels() const { return Room::exact ? Room::channels : channels_; }
  unsigned virtual_channels() const { return Room::exact ? Room::channels / Room::ports : virtual_channels_; }
  unsigned port_of(unsigned channel) const { return Room::exact ? channel / virtual_channels() : port_of_[channel]; }
  unsigned channel_of(unsigned channel) const {
    return Room::exact ? channel % virtual_channels() : channel_of_[channel];
  }
  Flit& place(std::uint32_t router, unsigned channel, unsigned slot) {
    return buffers_[(std::size_t{router} * slots_ + (slot & (slots_ - 1))) * channels() + channel];
  }
  /// Virtual channels of an output that a packet may use.
  ChannelBits allowed(unsigned output, unsigned half) const { return output >= node_port_ ? all_ : half_[half]; }

  const Lattice& lattice_;
  RouterSettings settings_;
  unsigned ports_;
  unsigned node_port_;
  unsigned virtual_channels_;
  unsigned channels_;
  /// Slots of a buffer, a power of two.
  unsigned slots_;
  ChannelBits all_;
  /// Halves of the virtual channels, between which packets do not change, and their number.
  std::array<ChannelBits, 2> half_;
  unsigned halves_;
  std::array<std::uint8_t, max_router_channels> port_of_{};
  std::array<std::uint8_t, max_router_channels> channel_of_{};

  std::vector<RouterState> routers_;
  std::vector<std::uint64_t> last_departures_;
  /// The first slots of all buffers of a router, then the second ones: as most buffers hold few flits, few bytes are in
  /// use.
  std::vector<Flit> buffers_;

  ActiveSet active_routers_;

  std::vector<Source> sources_;
  std::vector<std::uint16_t> source_credits_;
  ActiveSet active_sources_;
  std::vector<std::uint32_t> freed_now_;

  Calendar<FlitEvent> arrivals_;
  Calendar<FlitEvent> ejections_;
  Calendar<CreditEvent> credits_;
  Calendar<CreditEvent> source_credit_arrivals_;

  std::vector<Packet> packets_;
  std::vector<std::uint32_t> free_packets_;

  /// Heads whose route takes one cycle, as in most routers; these need no separate step for it.
  std::vector<RoutedHead> heads_;

  SwitchRequests requests_;
  /// The channel that represents an input at an output.
  std::array<std::array<std::uint8_t, max_ports>, max_ports> chosen_{};
};

template <typename Room>
RouterNetworkOf<Room>::RouterNetworkOf(const Lattice& lattice, const RouterSettings& settings)
    : lattice_(lattice),
      settings_(settings),
      ports_(lattice.ports()),
      node_port_(lattice.node_port()),
      virtual_channels_(settings.virtual_channels),
      channels_(ports_ * virtual_channels_),
      slots_(std::bit_ceil(settings.buffer_size)),
      all_(first_members<ChannelBits>(virtual_channels_)),
      half_{all_, 0},
      halves_(lattice.topology() == Topology::torus ? 2 : 1),
      routers_(lattice.routers()),
      active_routers_(routers_.size()),
      active_sources_(lattice.nodes()),
      arrivals_(3 * settings.switch_traversal_delay + settings.link_latency + 2),
      ejections_(3 * settings.switch_traversal_delay + 3),
      credits_(settings.credit_latency + settings.credit_delay + 2),
      source_credit_arrivals_(2) {
  if (halves_ == 2) {
    half_[0] = first_members<ChannelBits>(virtual_channels_ / 2);
    half_[1] = all_ & ~half_[0];
  }
  const std::size_t nodes = lattice.nodes();
  const auto credits = static_cast<std::uint16_t>(settings.buffer_size);
  last_departures_.resize(routers_.size() * ports_);
  buffers_.resize(routers_.size() * channels_ * slots_);
  Source source;
  source.with_credit = all_;
  sources_.assign(nodes, source);
  source_credits_.assign(nodes * virtual_channels_, credits);
  requests_.ports = ports_;
  for (unsigned i = 0; i < channels_; ++i) {
    port_of_[i] = static_cast<std::uint8_t>(i / virtual_channels_);
    channel_of_[i] = static_cast<std::uint8_t>(i % virtual_channels_);
  }
  for (std::uint32_t number = 0; number < routers_.size(); ++number) {
    RouterState& router = routers_[number];
    for (unsigned i = 0; i < channels_; ++i) router.outputs[i].credits = credits;
    for (unsigned output = 0; output < ports_; ++output) {
      router.output_ports[output].free = router.output_ports[output].with_credit = all_;
      const std::uint32_t there = lattice.neighbor(number, output);
      if (there == number) continue;
      const unsigned input = lattice.far_port(number, output);
      router.output_ports[output].downstream = {there, input * virtual_channels_};
      routers_[there].input_ports[input].upstream = {number, output * virtual_channels_};
    }
  }
  for (std::uint32_t node = 0; node < nodes; ++node) {
    sources_[node].entry = {lattice.router_of(node), lattice.port_of(node) * virtual_channels_};
    routers_[lattice.router_of(node)].input_ports[lattice.port_of(node)].upstream = {node, 0};
  }
}

template <typename Room>
void RouterNetworkOf<Room>::begin_cycle() {
  delivered_.clear();
  freed_sources_.swap(freed_now_);
  freed_now_.clear();
  auto& ejections = ejections_.day(time_);
  for (const FlitEvent& event : ejections) take(event);
  ejections.clear();
  auto& source_credits = source_credit_arrivals_.day(time_);
  for (const CreditEvent& event : source_credits) apply_source_credit(event);
  credits_under_way_ -= source_credits.size();
  source_credits.clear();
  auto& arrivals = arrivals_.day(time_);
  for (const FlitEvent& event : arrivals) receive(event);
  arrivals.clear();
  auto& credits = credits_.day(time_);
  for (const CreditEvent& event : credits) apply_credit(event);
  credits_under_way_ -= credits.size();
  credits.clear();
}

template <typename Room>
void RouterNetworkOf<Room>::send(const Packet& packet) {
  Source& source = sources_[packet.source];
  if (free_packets_.empty()) {
    free_packets_.push_back(static_cast<std::uint32_t>(packets_.size()));
    packets_.emplace_back();
  }
  source.packet = free_packets_.back();
  free_packets_.pop_back();
  packets_[source.packet] = packet;
  source.sent = 0;
  active_sources_.add(packet.source);
  flits_under_way_ += packet.flits;
  created_sum_ += static_cast<double>(packet.created) * packet.flits;
}

template <typename Room>
void RouterNetworkOf<Room>::finish_cycle() {
  active_sources_.for_each([&](std::uint32_t node) { inject(node); });
  // Heads that come to the front in this cycle's steps are routed in the next one.
  const std::size_t routed = heads_.size();
  active_routers_.for_each([&](std::uint32_t number) {
    visit(number);
    if (!has_work(routers_[number])) active_routers_.remove(number);
  });
  for (std::size_t i = 0; i < routed; ++i) ask_for_channel(heads_[i]);
  heads_.erase(heads_.begin(), heads_.begin() + static_cast<std::ptrdiff_t>(routed));
  ++time_;
}

template <typename Room>
void RouterNetworkOf<Room>::inject(std::uint32_t node) {
  Source& source = sources_[node];
  Packet& packet = packets_[source.packet];
  if (source.sent == 0 && source.with_credit != 0) {
    source.channel = static_cast<std::uint16_t>(first_from(source.with_credit, source.pointer));
    source.pointer = behind(source.channel, virtual_channels());
    packet.entered = time_;
  }
  if ((source.with_credit & bit<ChannelBits>(source.channel)) == 0) {
    // Woken by the next credit.
    active_sources_.remove(node);
    return;
  }
  std::uint16_t& credits = source_credits_[std::size_t{node} * virtual_channels() + source.channel];
  if (--credits == 0) source.with_credit &= ~bit<ChannelBits>(source.channel);
  ++source.sent;
  const bool last = source.sent == packet.flits;
  Flit flit{source.packet, static_cast<std::uint16_t>(packet.destination), 0, last};
  flit.tie_up = packet.tie_up & 0x7fff;
  arrivals_.day(time_ + 2).add({source.entry.router, source.entry.channel + source.channel, flit});
  if (!last) return;
  source.packet = Source::none;
  active_sources_.remove(node);
  freed_now_.push_back(node);
}

/// A node receives a flit.
template <typename Room>
void RouterNetworkOf<Room>::take(const FlitEvent& event) {
  const std::uint32_t number = event.flit.packet;
  ++taken_flits_;
  --flits_under_way_;
  created_sum_ -= static_cast<double>(packets_[number].created);
  if (event.flit.last != 0) {
    delivered_.push_back(packets_[number]);
    free_packets_.push_back(number);
  }
  credits_.day(time_ + 2 + settings_.credit_delay).add({event.router, event.channel});
  ++credits_under_way_;
}

template <typename Room>
void RouterNetworkOf<Room>::apply_source_credit(const CreditEvent& event) {
  Source& source = sources_[event.router];
  ++source_credits_[std::size_t{event.router} * virtual_channels() + event.channel];
  source.with_credit |= bit<ChannelBits>(event.channel);
  if (source.packet != Source::none) active_sources_.add(event.router);
}

/// One cycle of a router: steps that begin in this cycle see what ended in the previous one.
template <typename Room>
void RouterNetworkOf<Room>::visit(std::uint32_t number) {
  RouterState& router = routers_[number];
  if (router.routing == 0 && router.route_waiting != 0) {
    router.routing = router.route_waiting;
    router.route_waiting = 0;
    router.route_end = time_ + settings_.routing_delay - 1;
  }
  collect_switch_requests(router);
  if (router.asked_outputs != 0) give_channels(router);
  if (router.routing != 0 && router.route_end == time_) {
    for (Set left = router.routing; left != 0; left &= left - 1) {
      const InputChannel& head = router.inputs[lowest(left)];
      ask_for_channel({number, static_cast<std::uint16_t>(lowest(left)), head.output, head.half});
    }
    router.routing = 0;
  }
  if (requests_.inputs != 0) {
    allocate_switch(requests_, settings_.allocator, settings_.iterations, router.input_ports.data(),
                    router.output_ports.data(),
                    [&](unsigned input, unsigned output) { traverse(number, input, output); });
    requests_.clear();
  }
}

/// A flit enters an input buffer.
template <typename Room>
void RouterNetworkOf<Room>::receive(const FlitEvent& event) {
  RouterState& router = routers_[event.router];
  InputChannel& channel = router.inputs[event.channel];
  place(event.router, event.channel, channel.front + channel.count) = event.flit;
  ++channel.count;
  if (channel.state == ChannelState::idle) {
    ask_for_route(event.router, event.channel, event.flit);
  } else if (channel.count == 1) {
    update_ready(router, event.channel);
    active_routers_.add(event.router);
  }
}

template <typename Room>
void RouterNetworkOf<Room>::apply_credit(const CreditEvent& event) {
  RouterState& router = routers_[event.router];
  OutputChannel& channel = router.outputs[event.channel];
  if (++channel.credits != 1) return;
  OutputPort<Set>& output = router.output_ports[port_of(event.channel)];
  const auto member = bit<ChannelBits>(channel_of(event.channel));
  output.with_credit |= member;
  if ((output.free & member) != 0) return;
  update_ready(router, channel.owner);
  active_routers_.add(event.router);
}

/// A head has reached the front of a channel. Its route is computed at once, while the flit is at hand.
template <typename Room>
void RouterNetworkOf<Room>::ask_for_route(std::uint32_t number, unsigned channel, Flit head) {
  RouterState& router = routers_[number];
  InputChannel& input = router.inputs[channel];
  const bool upper_half = channel_of(channel) >= virtual_channels() / 2;
  const Lattice::Step next = lattice_.route(number, head.destination, port_of(channel), upper_half, head.tie_up);
  input.state = ChannelState::heading;
  input.output = static_cast<std::uint8_t>(next.output);
  input.half = next.upper_half ? 1 : 0;
  const RoutedHead routed{number, static_cast<std::uint16_t>(channel), input.output, input.half};
  if (settings_.routing_delay == 0) {
    ask_for_channel(routed);
  } else if (settings_.routing_delay == 1) {
    heads_.push_back(routed);
  } else {
    router.route_waiting |= bit<Set>(channel);
    active_routers_.add(number);
  }
}

template <typename Room>
void RouterNetworkOf<Room>::ask_for_channel(const RoutedHead& head) {
  RouterState& router = routers_[head.router];
  active_routers_.add(head.router);
  router.output_ports[head.output].asking[head.half] |= bit<Set>(head.channel);
  router.asked_outputs |= bit<std::uint64_t>(head.output);
  router.asking |= bit<Set>(head.channel);
}

/// One channel requests for each input and output: the first from the input's pointer on, channels with an output
/// channel before those without.
template <typename Room>
void RouterNetworkOf<Room>::collect_switch_requests(const RouterState& router) {
  const auto add = [&](unsigned input, ChannelBits candidates, bool deferred) {
    const unsigned pointer = router.input_ports[input].first_choice;
    while (candidates != 0) {
      const unsigned v = first_from(candidates, pointer);
      candidates &= ~bit<ChannelBits>(v);
      const unsigned output = router.inputs[input * virtual_channels() + v].output;
      if (requests_.has(input, output)) continue;
      requests_.add(input, output, deferred);
      chosen_[input][output] = static_cast<std::uint8_t>(v);
    }
  };
  for (std::uint64_t left = router.ready_inputs; left != 0; left &= left - 1) {
    add(lowest(left), router.input_ports[lowest(left)].ready, false);
  }
  if (!settings_.speculative || router.asking == 0) return;
  // Heads that may get an output channel with a credit in this cycle.
  Set hopeful = 0;
  for (std::uint64_t left = router.asked_outputs; left != 0; left &= left - 1) {
    const unsigned output = lowest(left);
    const OutputPort<Set>& wanted = router.output_ports[output];
    for (unsigned half = 0; half < halves_; ++half) {
      if ((wanted.free & wanted.with_credit & allowed(output, half)) != 0) hopeful |= wanted.asking[half];
    }
  }
  while (hopeful != 0) {
    const unsigned input = port_of(lowest(hopeful));
    const unsigned shift = input * virtual_channels();
    const ChannelBits candidates = static_cast<ChannelBits>(hopeful >> shift) & all_;
    hopeful &= ~(Set{candidates} << shift);
    add(input, candidates, true);
  }
}

template <typename Room>
void RouterNetworkOf<Room>::give_channels(RouterState& router) {
  for (std::uint64_t left = router.asked_outputs; left != 0; left &= left - 1) {
    const unsigned output = lowest(left);
    const OutputPort<Set>& wanted = router.output_ports[output];
    for (unsigned half = 0; half < halves_; ++half) {
      const Set asking = wanted.asking[half];
      const ChannelBits available = wanted.free & allowed(output, half);
      if (asking == 0 || available == 0) continue;
      allocate_channels(asking, {output * virtual_channels(), virtual_channels(), available}, channels(),
                        settings_.allocator, settings_.iterations, router.inputs.data(), router.outputs.data(),
                        [&](unsigned input, unsigned v) { give_channel(router, input, output, half, v); });
    }
  }
}

template <typename Room>
void RouterNetworkOf<Room>::give_channel(RouterState& router, unsigned input, unsigned output, unsigned half,
                                         unsigned v) {
  OutputPort<Set>& wanted = router.output_ports[output];
  InputChannel& channel = router.inputs[input];
  channel.output_channel = static_cast<std::uint8_t>(v);
  channel.state = ChannelState::active;
  router.outputs[output * virtual_channels() + v].owner = static_cast<std::uint16_t>(input);
  wanted.free &= ~bit<ChannelBits>(v);
  wanted.asking[half] &= ~bit<Set>(input);
  router.asking &= ~bit<Set>(input);
  if ((wanted.asking[0] | wanted.asking[1]) == 0) router.asked_outputs &= ~bit<std::uint64_t>(output);
  update_ready(router, input);
}

/// A channel that was not ready may be ready now.
template <typename Room>
void RouterNetworkOf<Room>::update_ready(RouterState& router, unsigned channel) {
  const InputChannel& own = router.inputs[channel];
  const ChannelBits with_credit = router.output_ports[own.output].with_credit;
  if (own.state != ChannelState::active || own.count == 0 || ((with_credit >> own.output_channel) & 1) == 0) return;
  const unsigned input = port_of(channel);
  router.input_ports[input].ready |= bit<ChannelBits>(channel_of(channel));
  router.ready_inputs |= bit<std::uint64_t>(input);
}

/// The switch connects an input to an output. A speculative head may still have no output channel, or one without
/// credit: then the grant is wasted.
template <typename Room>
void RouterNetworkOf<Room>::traverse(std::uint32_t number, unsigned input, unsigned output) {
  RouterState& router = routers_[number];
  InputPort& from = router.input_ports[input];
  OutputPort<Set>& to = router.output_ports[output];
  const unsigned v = chosen_[input][output];
  from.first_choice = behind(v, virtual_channels());
  if (((from.ready >> v) & 1) == 0) return;
  const unsigned own = input * virtual_channels() + v;
  InputChannel& channel = router.inputs[own];
  const Flit flit = place(number, own, channel.front);
  // An empty buffer begins at its first slot again.
  channel.front = --channel.count == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(channel.front + 1U);
  ++flit_hops_;

  const unsigned out = output * virtual_channels() + channel.output_channel;
  if (--router.outputs[out].credits == 0) to.with_credit &= ~bit<ChannelBits>(channel.output_channel);
  ++credits_under_way_;
  if (lattice_.is_node_port(number, input)) {
    source_credit_arrivals_.day(time_ + 2).add({from.upstream.router, v});
  } else {
    credits_.day(time_ + settings_.credit_latency + 1 + settings_.credit_delay)
        .add({from.upstream.router, from.upstream.channel + v});
  }
  const std::uint64_t leaves = departure(number, output);
  if (lattice_.is_node_port(number, output)) {
    ejections_.day(leaves + 2).add({number, out, flit});
  } else {
    arrivals_.day(leaves + settings_.link_latency + 1)
        .add({to.downstream.router, to.downstream.channel + channel.output_channel, flit});
  }
  const bool credit = ((to.with_credit >> channel.output_channel) & 1) != 0;
  if (flit.last != 0) {
    to.free |= bit<ChannelBits>(channel.output_channel);
    channel.state = ChannelState::idle;
    if (channel.count != 0) ask_for_route(number, own, place(number, own, channel.front));
  } else if (channel.count != 0 && credit) {
    return;
  }
  from.ready &= ~bit<ChannelBits>(v);
  router.ready_inputs &= ~(std::uint64_t{from.ready == 0} << input);
}

/// When a flit that won the switch in this cycle is put on its link. Traversal admits a batch when the previous one has
/// ended; flits of a batch for the same output follow each other.
template <typename Room>
std::uint64_t RouterNetworkOf<Room>::departure(std::uint32_t number, unsigned output) {
  const unsigned delay = settings_.switch_traversal_delay;
  if (delay == 1) return time_ + 1;
  RouterState& router = routers_[number];
  const bool let_in = router.batch_end <= time_ + delay;
  if (let_in) router.batch_end = std::max(time_ + 1, router.batch_end) + delay;
  std::uint64_t& last = last_departures_[std::size_t{number} * ports() + output];
  last = std::max(router.batch_end - 1, last + 1);
  return last;
}

/// Whether there is anything to do in the next cycle, whatever arrives.
template <typename Room>
bool RouterNetworkOf<Room>::has_work(const RouterState& router) const {
  if (router.ready_inputs != 0 || router.route_waiting != 0 || router.routing != 0) return true;
  for (std::uint64_t left = router.asked_outputs; left != 0; left &= left - 1) {
    const unsigned output = lowest(left);
    const OutputPort<Set>& wanted = router.output_ports[output];
    for (unsigned half = 0; half < halves_; ++half) {
      if (wanted.asking[half] != 0 && (wanted.free & allowed(output, half)) != 0) return true;
    }
  }
  return false;
}

template <typename Room>
bool fits(const Lattice& lattice, const RouterSettings& settings) {
  const unsigned ports = lattice.ports();
  const unsigned channels = ports * settings.virtual_channels;
  if (Room::exact) return ports == Room::ports && channels == Room::channels;
  return ports <= Room::ports && channels <= Room::channels;
}

/// A network of the first of several rooms that fits; the last one fits everything.
template <typename First, typename... Others>
std::unique_ptr<RouterNetwork> make_in_first_fit(const Lattice& lattice, const RouterSettings& settings) {
  if constexpr (sizeof...(Others) != 0) {
    if (!fits<First>(lattice, settings)) return make_in_first_fit<Others...>(lattice, settings);
  }
  return std::make_unique<RouterNetworkOf<First>>(lattice, settings);
}

}  // namespace

std::unique_ptr<RouterNetwork> make_router_network(const Lattice& lattice, const RouterSettings& settings) {
  const std::vector<std::string> problems =
      problems_of(lattice.topology(), lattice.radix(), lattice.dimensions(), settings, lattice.concentration());
  if (!problems.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(problems, "; ")));
  return make_in_first_fit<TwoChannelPlane, FourChannelPlane, SixteenChannelPlane, SmallRoom, LargeRoom>(lattice,
                                                                                                         settings);
}

}  // namespace pimsweep::hardware::noc::router
