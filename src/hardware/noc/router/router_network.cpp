#include "hardware/noc/router/router_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "hardware/noc/router/bits.h"
#include "hardware/noc/router/calendar.h"
#include "hardware/noc/router/channel_allocator.h"
#include "hardware/noc/router/router_state.h"
#include "hardware/noc/router/switch_allocator.h"

namespace pimsweep::noc {

namespace {

template <typename Set>
class RouterNetworkOf final : public RouterNetwork {
 public:
  RouterNetworkOf(const Lattice& lattice, const RouterSettings& settings);

  void begin_cycle() override;
  void send(const Packet& packet) override;
  void finish_cycle() override;

 private:
  /// One router's part of the state.
  struct View {
    std::uint32_t number;
    Router<Set>& router;
    InputPort* input_ports;
    OutputPort<Set>* output_ports;
    InputChannel* inputs;
    OutputChannel* outputs;
  };

  void receive(const FlitEvent& event);
  void take(const FlitEvent& event);
  void apply_source_credit(const CreditEvent& event);
  void apply_credit(const CreditEvent& event);
  void inject(std::uint32_t node);
  bool step(const View& view);
  void ask_for_route(const View& view, unsigned channel, Flit head);
  void ask_for_channel(const View& view, unsigned channel);
  void give_channels(const View& view);
  void give_channel(const View& view, unsigned input, unsigned output, std::size_t half, unsigned v);
  void update_ready(const View& view, unsigned channel);
  void collect_switch_requests(const View& view);
  void traverse(const View& view, unsigned input, unsigned output);
  std::uint64_t departure(const View& view, unsigned output);
  bool has_work(const View& view) const;

  std::size_t port(std::uint32_t router, unsigned number) const { return std::size_t{router} * ports_ + number; }
  std::size_t at(std::uint32_t router, unsigned channel) const { return std::size_t{router} * channels_ + channel; }
  /// Of a channel's flit in buffers_.
  std::size_t place(std::size_t index, unsigned slot) const { return (slot & (slots_ - 1)) * inputs_.size() + index; }
  View view(std::uint32_t router) {
    return {router,
            routers_[router],
            &input_ports_[port(router, 0)],
            &output_ports_[port(router, 0)],
            &inputs_[at(router, 0)],
            &outputs_[at(router, 0)]};
  }
  void wake(std::uint32_t router) { active_routers_[router / 64] |= bit<std::uint64_t>(router % 64); }
  /// Virtual channels of an output that a packet may have.
  ChannelBits allowed(unsigned output, std::size_t half) const { return output >= node_port_ ? all_ : half_[half]; }

  const Lattice& lattice_;
  RouterSettings settings_;
  unsigned ports_;
  unsigned node_port_;
  unsigned virtual_channels_;
  unsigned channels_;
  /// Places of a buffer, a power of two.
  unsigned slots_;
  ChannelBits all_;
  std::array<ChannelBits, 2> half_;
  std::array<std::uint16_t, max_router_channels> port_of_{};
  std::array<std::uint16_t, max_router_channels> channel_of_{};

  std::vector<Router<Set>> routers_;
  std::vector<std::uint64_t> active_routers_;
  // One for each port of a router.
  std::vector<InputPort> input_ports_;
  std::vector<OutputPort<Set>> output_ports_;
  std::vector<std::uint64_t> last_departures_;
  // One for each channel of a router.
  std::vector<InputChannel> inputs_;
  std::vector<OutputChannel> outputs_;
  /// The first places of all buffers, then the second ones: as most buffers hold few flits, few bytes are in use.
  std::vector<Flit> buffers_;

  std::vector<Source> sources_;
  std::vector<std::uint16_t> source_credits_;
  std::vector<std::uint64_t> active_sources_;
  std::vector<std::uint32_t> freed_now_;

  Calendar<FlitEvent> arrivals_;
  Calendar<FlitEvent> ejections_;
  Calendar<CreditEvent> credits_;
  Calendar<CreditEvent> source_credit_arrivals_;

  std::vector<Packet> packets_;
  std::vector<Way> ways_;
  std::vector<std::uint32_t> free_packets_;

  /// Heads whose route takes one cycle: most routers are like that, and need no step for it.
  std::vector<Link> heads_;

  SwitchRequests requests_;
  /// The channel that stands for an input at an output.
  std::array<std::array<std::uint16_t, max_ports>, max_ports> chosen_{};
};

template <typename Set>
RouterNetworkOf<Set>::RouterNetworkOf(const Lattice& lattice, const RouterSettings& settings)
    : lattice_(lattice),
      settings_(settings),
      ports_(lattice.ports()),
      node_port_(lattice.node_port()),
      virtual_channels_(settings.virtual_channels),
      channels_(ports_ * virtual_channels_),
      slots_(std::bit_ceil(settings.buffer_size)),
      all_(first_members<ChannelBits>(virtual_channels_)),
      half_{all_, 0},
      arrivals_(3 * settings.switch_traversal_delay + settings.link_latency + 2),
      ejections_(3 * settings.switch_traversal_delay + 3),
      credits_(settings.credit_latency + settings.credit_delay + 2),
      source_credit_arrivals_(2) {
  if (lattice.topology() == Topology::torus) {
    half_[0] = first_members<ChannelBits>(virtual_channels_ / 2);
    half_[1] = all_ & ~half_[0];
  }
  const std::size_t routers = lattice.routers();
  const std::size_t nodes = lattice.nodes();
  const std::size_t router_ports = routers * ports_;
  const std::size_t router_channels = routers * channels_;
  const auto credits = static_cast<std::uint16_t>(settings.buffer_size);
  routers_.resize(routers);
  active_routers_.resize((routers + 63) / 64);
  input_ports_.resize(router_ports);
  OutputPort<Set> output_port;
  output_port.free = output_port.with_credit = all_;
  output_ports_.assign(router_ports, output_port);
  last_departures_.resize(router_ports);
  inputs_.resize(router_channels);
  outputs_.assign(router_channels, {credits});
  buffers_.resize(router_channels * slots_);
  Source source;
  source.with_credit = all_;
  sources_.assign(nodes, source);
  source_credits_.assign(nodes * virtual_channels_, credits);
  active_sources_.resize((nodes + 63) / 64);
  requests_.ports = ports_;
  for (unsigned i = 0; i < channels_; ++i) {
    port_of_[i] = static_cast<std::uint16_t>(i / virtual_channels_);
    channel_of_[i] = static_cast<std::uint16_t>(i % virtual_channels_);
  }
  for (std::uint32_t router = 0; router < routers; ++router) {
    for (unsigned output = 0; output < ports_; ++output) {
      const std::uint32_t there = lattice.neighbour(router, output);
      if (there == router) continue;
      const unsigned input = lattice.far_port(router, output);
      output_ports_[port(router, output)].downstream = {there, input * virtual_channels_};
      input_ports_[port(there, input)].upstream = {router, output * virtual_channels_};
    }
  }
  for (std::uint32_t node = 0; node < nodes; ++node) {
    const std::uint32_t router = lattice.router_of(node);
    sources_[node].entry = {router, lattice.port_of(node) * virtual_channels_};
    input_ports_[port(router, lattice.port_of(node))].upstream = {node, 0};
  }
}

template <typename Set>
void RouterNetworkOf<Set>::begin_cycle() {
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

template <typename Set>
void RouterNetworkOf<Set>::send(const Packet& packet) {
  Source& source = sources_[packet.source];
  if (free_packets_.empty()) {
    free_packets_.push_back(static_cast<std::uint32_t>(packets_.size()));
    packets_.emplace_back();
    ways_.emplace_back();
  }
  source.packet = free_packets_.back();
  free_packets_.pop_back();
  packets_[source.packet] = packet;
  ways_[source.packet] = {packet.destination, packet.tie_up};
  source.sent = 0;
  active_sources_[packet.source / 64] |= bit<std::uint64_t>(packet.source % 64);
  flits_under_way_ += packet.flits;
  created_sum_ += static_cast<double>(packet.created) * packet.flits;
}

template <typename Set>
void RouterNetworkOf<Set>::finish_cycle() {
  for (std::size_t word = 0; word < active_sources_.size(); ++word) {
    for (std::uint64_t left = active_sources_[word]; left != 0; left &= left - 1) {
      inject(static_cast<std::uint32_t>(64 * word + lowest(left)));
    }
  }
  // Heads that come to the front in this cycle's steps are routed in the next one.
  const std::size_t routed = heads_.size();
  for (std::size_t word = 0; word < active_routers_.size(); ++word) {
    for (std::uint64_t left = active_routers_[word]; left != 0; left &= left - 1) {
      const auto router = static_cast<std::uint32_t>(64 * word + lowest(left));
      if (!step(view(router))) active_routers_[word] &= ~bit<std::uint64_t>(lowest(left));
    }
  }
  for (std::size_t i = 0; i < routed; ++i) ask_for_channel(view(heads_[i].router), heads_[i].channel);
  heads_.erase(heads_.begin(), heads_.begin() + static_cast<std::ptrdiff_t>(routed));
  ++time_;
}

template <typename Set>
void RouterNetworkOf<Set>::inject(std::uint32_t node) {
  Source& source = sources_[node];
  Packet& packet = packets_[source.packet];
  if (source.sent == 0 && source.with_credit != 0) {
    source.channel = static_cast<std::uint16_t>(first_from(source.with_credit, source.pointer));
    source.pointer = behind(source.channel, virtual_channels_);
    packet.entered = time_;
  }
  const auto active = bit<std::uint64_t>(node % 64);
  if ((source.with_credit & bit<ChannelBits>(source.channel)) == 0) {
    // Woken by the next credit.
    active_sources_[node / 64] &= ~active;
    return;
  }
  std::uint16_t& credits = source_credits_[std::size_t{node} * virtual_channels_ + source.channel];
  if (--credits == 0) source.with_credit &= ~bit<ChannelBits>(source.channel);
  ++source.sent;
  const bool last = source.sent == packet.flits;
  arrivals_.day(time_ + 2).push_back(
      {source.entry.router, source.entry.channel + source.channel, 2 * source.packet + (last ? 1U : 0U)});
  if (!last) return;
  source.packet = Source::none;
  active_sources_[node / 64] &= ~active;
  freed_now_.push_back(node);
}

/// A flit comes into an input buffer.
template <typename Set>
void RouterNetworkOf<Set>::receive(const FlitEvent& event) {
  const std::size_t index = at(event.router, event.channel);
  InputChannel& channel = inputs_[index];
  buffers_[place(index, channel.front + channel.count)] = event.flit;
  ++channel.count;
  if (channel.state == ChannelState::idle) {
    ask_for_route(view(event.router), event.channel, event.flit);
  } else if (channel.count == 1) {
    update_ready(view(event.router), event.channel);
    wake(event.router);
  }
}

/// A node takes a flit; the event names the channel of the ejection port.
template <typename Set>
void RouterNetworkOf<Set>::take(const FlitEvent& event) {
  const std::uint32_t number = event.flit / 2;
  ++taken_flits_;
  --flits_under_way_;
  created_sum_ -= static_cast<double>(packets_[number].created);
  if (event.flit % 2 != 0) {
    delivered_.push_back(packets_[number]);
    free_packets_.push_back(number);
  }
  credits_.day(time_ + 2 + settings_.credit_delay).push_back({event.router, event.channel});
  ++credits_under_way_;
}

template <typename Set>
void RouterNetworkOf<Set>::apply_source_credit(const CreditEvent& event) {
  Source& source = sources_[event.router];
  ++source_credits_[std::size_t{event.router} * virtual_channels_ + event.channel];
  source.with_credit |= bit<ChannelBits>(event.channel);
  if (source.packet != Source::none) active_sources_[event.router / 64] |= bit<std::uint64_t>(event.router % 64);
}

template <typename Set>
void RouterNetworkOf<Set>::apply_credit(const CreditEvent& event) {
  const View there = view(event.router);
  OutputChannel& channel = there.outputs[event.channel];
  if (++channel.credits != 1) return;
  OutputPort<Set>& output = there.output_ports[port_of_[event.channel]];
  const auto member = bit<ChannelBits>(channel_of_[event.channel]);
  output.with_credit |= member;
  if ((output.free & member) != 0) return;
  update_ready(there, channel.owner);
  wake(event.router);
}

/// A head has come to the front of a channel. What its route will be is known at once, here where the flit is at hand.
template <typename Set>
void RouterNetworkOf<Set>::ask_for_route(const View& view, unsigned channel, Flit head) {
  InputChannel& input = view.inputs[channel];
  const Way& way = ways_[head / 2];
  const bool upper_half = channel_of_[channel] >= virtual_channels_ / 2;
  const Lattice::Step next = lattice_.route(view.number, way.destination, port_of_[channel], upper_half, way.tie_up);
  input.state = ChannelState::heading;
  input.output = static_cast<std::uint16_t>(next.output);
  input.half = next.upper_half ? 1 : 0;
  if (settings_.routing_delay == 0) {
    ask_for_channel(view, channel);
  } else if (settings_.routing_delay == 1) {
    heads_.push_back({view.number, channel});
  } else {
    view.router.route_waiting |= bit<Set>(channel);
    wake(view.number);
  }
}

template <typename Set>
void RouterNetworkOf<Set>::ask_for_channel(const View& view, unsigned channel) {
  const InputChannel& input = view.inputs[channel];
  wake(view.number);
  view.output_ports[input.output].asking[input.half] |= bit<Set>(channel);
  view.router.asked_outputs |= bit<std::uint64_t>(input.output);
  view.router.asking |= bit<Set>(channel);
}

/// One cycle of a router: what begins in this cycle sees what ended in the one before. Tells whether there is anything
/// to do in the next one.
template <typename Set>
bool RouterNetworkOf<Set>::step(const View& view) {
  Router<Set>& router = view.router;
  if (router.routing == 0 && router.route_waiting != 0) {
    router.routing = router.route_waiting;
    router.route_waiting = 0;
    router.route_end = time_ + settings_.routing_delay - 1;
  }
  collect_switch_requests(view);
  if (router.asked_outputs != 0) give_channels(view);
  if (router.routing != 0 && router.route_end == time_) {
    for (Set left = router.routing; left != 0; left &= left - 1) ask_for_channel(view, lowest(left));
    router.routing = 0;
  }
  if (requests_.inputs != 0) {
    allocate_switch(requests_, settings_.allocator, settings_.iterations, view.input_ports, view.output_ports,
                    [&](unsigned input, unsigned output) { traverse(view, input, output); });
    requests_.clear();
  }
  return has_work(view);
}

/// For each input and output one channel asks: the first from the input's pointer on, and one that has its output
/// channel before one that has not.
template <typename Set>
void RouterNetworkOf<Set>::collect_switch_requests(const View& view) {
  const Router<Set>& router = view.router;
  const auto add = [&](unsigned input, ChannelBits candidates, bool deferred) {
    const unsigned pointer = view.input_ports[input].first_choice;
    while (candidates != 0) {
      const unsigned v = first_from(candidates, pointer);
      candidates &= ~bit<ChannelBits>(v);
      const unsigned output = view.inputs[input * virtual_channels_ + v].output;
      if (requests_.has(input, output)) continue;
      requests_.add(input, output, deferred);
      chosen_[input][output] = static_cast<std::uint16_t>(v);
    }
  };
  for (std::uint64_t left = router.ready_inputs; left != 0; left &= left - 1) {
    add(lowest(left), view.input_ports[lowest(left)].ready, false);
  }
  if (!settings_.speculative || router.asking == 0) return;
  // Heads that may get an output channel with a credit in this cycle.
  Set hopeful = 0;
  for (std::uint64_t left = router.asked_outputs; left != 0; left &= left - 1) {
    const unsigned output = lowest(left);
    const OutputPort<Set>& wanted = view.output_ports[output];
    for (const std::size_t half : {0U, 1U}) {
      if ((wanted.free & wanted.with_credit & allowed(output, half)) != 0) hopeful |= wanted.asking[half];
    }
  }
  while (hopeful != 0) {
    const unsigned input = port_of_[lowest(hopeful)];
    const unsigned shift = input * virtual_channels_;
    const ChannelBits candidates = static_cast<ChannelBits>(hopeful >> shift) & all_;
    hopeful &= ~(Set{candidates} << shift);
    add(input, candidates, true);
  }
}

template <typename Set>
void RouterNetworkOf<Set>::give_channels(const View& view) {
  for (std::uint64_t left = view.router.asked_outputs; left != 0; left &= left - 1) {
    const unsigned output = lowest(left);
    const OutputPort<Set>& wanted = view.output_ports[output];
    for (const std::size_t half : {0U, 1U}) {
      const Set asking = wanted.asking[half];
      const ChannelBits available = wanted.free & allowed(output, half);
      if (asking == 0 || available == 0) continue;
      allocate_channels(asking, {output * virtual_channels_, virtual_channels_, available}, channels_,
                        settings_.allocator, settings_.iterations, view.inputs, view.outputs,
                        [&](unsigned input, unsigned v) { give_channel(view, input, output, half, v); });
    }
  }
}

template <typename Set>
void RouterNetworkOf<Set>::give_channel(const View& view, unsigned input, unsigned output, std::size_t half,
                                        unsigned v) {
  Router<Set>& router = view.router;
  OutputPort<Set>& wanted = view.output_ports[output];
  InputChannel& channel = view.inputs[input];
  channel.output_channel = static_cast<std::uint16_t>(v);
  channel.state = ChannelState::active;
  view.outputs[output * virtual_channels_ + v].owner = static_cast<std::uint16_t>(input);
  wanted.free &= ~bit<ChannelBits>(v);
  wanted.asking[half] &= ~bit<Set>(input);
  router.asking &= ~bit<Set>(input);
  if ((wanted.asking[0] | wanted.asking[1]) == 0) router.asked_outputs &= ~bit<std::uint64_t>(output);
  update_ready(view, input);
}

/// A channel that was not ready may be so now.
template <typename Set>
void RouterNetworkOf<Set>::update_ready(const View& view, unsigned channel) {
  const InputChannel& own = view.inputs[channel];
  const ChannelBits with_credit = view.output_ports[own.output].with_credit;
  if (own.state != ChannelState::active || own.count == 0 || ((with_credit >> own.output_channel) & 1) == 0) return;
  const unsigned input = port_of_[channel];
  view.input_ports[input].ready |= bit<ChannelBits>(channel_of_[channel]);
  view.router.ready_inputs |= bit<std::uint64_t>(input);
}

/// The switch joins an input to an output. A head that was let ask before it had an output channel may have none now,
/// or one without credit: then the switch was given in vain.
template <typename Set>
void RouterNetworkOf<Set>::traverse(const View& view, unsigned input, unsigned output) {
  InputPort& from = view.input_ports[input];
  OutputPort<Set>& to = view.output_ports[output];
  const unsigned v = chosen_[input][output];
  from.first_choice = behind(v, virtual_channels_);
  if (((from.ready >> v) & 1) == 0) return;
  const unsigned own = input * virtual_channels_ + v;
  InputChannel& channel = view.inputs[own];
  const Flit flit = buffers_[place(at(view.number, own), channel.front)];
  // An empty buffer begins at its first place again.
  channel.front = --channel.count == 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(channel.front + 1U);
  ++flit_hops_;

  const unsigned out = output * virtual_channels_ + channel.output_channel;
  if (--view.outputs[out].credits == 0) to.with_credit &= ~bit<ChannelBits>(channel.output_channel);
  ++credits_under_way_;
  const CreditEvent credit_back{from.upstream.router, from.upstream.channel + v};
  if (lattice_.is_node_port(view.number, input)) {
    source_credit_arrivals_.day(time_ + 2).push_back(credit_back);
  } else {
    credits_.day(time_ + settings_.credit_latency + 1 + settings_.credit_delay).push_back(credit_back);
  }
  const std::uint64_t leaves = departure(view, output);
  if (lattice_.is_node_port(view.number, output)) {
    ejections_.day(leaves + 2).push_back({view.number, out, flit});
  } else {
    arrivals_.day(leaves + settings_.link_latency + 1)
        .push_back({to.downstream.router, to.downstream.channel + channel.output_channel, flit});
  }
  const bool credit = ((to.with_credit >> channel.output_channel) & 1) != 0;
  if (flit % 2 != 0) {
    to.free |= bit<ChannelBits>(channel.output_channel);
    channel.state = ChannelState::idle;
    if (channel.count != 0) ask_for_route(view, own, buffers_[place(at(view.number, own), channel.front)]);
  } else if (channel.count != 0 && credit) {
    return;
  }
  from.ready &= ~bit<ChannelBits>(v);
  if (from.ready == 0) view.router.ready_inputs &= ~bit<std::uint64_t>(input);
}

/// When a flit that won the switch in this cycle is put on its link. Traversal lets in a batch when the one before has
/// ended; flits of a batch for the same output follow each other.
template <typename Set>
std::uint64_t RouterNetworkOf<Set>::departure(const View& view, unsigned output) {
  const unsigned delay = settings_.switch_traversal_delay;
  if (delay == 1) return time_ + 1;
  Router<Set>& router = view.router;
  const bool let_in = router.batch_end <= time_ + delay;
  if (let_in) router.batch_end = std::max(time_ + 1, router.batch_end) + delay;
  std::uint64_t& last = last_departures_[port(view.number, output)];
  last = std::max(router.batch_end - 1, last + 1);
  return last;
}

template <typename Set>
bool RouterNetworkOf<Set>::has_work(const View& view) const {
  const Router<Set>& router = view.router;
  if (router.ready_inputs != 0 || router.route_waiting != 0 || router.routing != 0) return true;
  for (std::uint64_t left = router.asked_outputs; left != 0; left &= left - 1) {
    const unsigned output = lowest(left);
    const OutputPort<Set>& wanted = view.output_ports[output];
    for (const std::size_t half : {0U, 1U}) {
      if (wanted.asking[half] != 0 && (wanted.free & allowed(output, half)) != 0) return true;
    }
  }
  return false;
}

}  // namespace

std::unique_ptr<RouterNetwork> make_router_network(const Lattice& lattice, const RouterSettings& settings) {
  const std::vector<std::string> problems =
      problems_of(lattice.topology(), lattice.radix(), lattice.dimensions(), settings, lattice.concentration());
  if (!problems.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(problems, "; ")));
  if (lattice.ports() * settings.virtual_channels <= 64) {
    return std::make_unique<RouterNetworkOf<std::uint64_t>>(lattice, settings);
  }
  return std::make_unique<RouterNetworkOf<WideBits>>(lattice, settings);
}

}  // namespace pimsweep::noc
