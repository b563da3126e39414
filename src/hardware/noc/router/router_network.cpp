#include "hardware/noc/router/router_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "hardware/noc/router/arbitration.h"
#include "hardware/noc/router/bits.h"
#include "hardware/noc/router/switch_allocator.h"

namespace pimsweep::noc {

namespace {

constexpr std::uint32_t no_packet = ~0U;

/// Events by the cycle in which they happen, at most `horizon` cycles ahead.
template <typename Event>
class Calendar {
 public:
  explicit Calendar(unsigned horizon) : days_(std::bit_ceil(horizon + 1U)) {}
  std::vector<Event>& day(std::uint64_t time) { return days_[time & (days_.size() - 1)]; }

 private:
  std::vector<std::vector<Event>> days_;
};

/// `Set` holds the virtual channels of a router: number = port x virtual channels + virtual channel, on both sides.
template <typename Set>
class RouterNetworkOf final : public RouterNetwork {
 public:
  RouterNetworkOf(const Lattice& lattice, const RouterSettings& settings);

  void begin_cycle() override;
  void send(const Packet& packet) override;
  void finish_cycle() override;

 private:
  /// Packet number x 2, + 1 for the last flit.
  using Flit = std::uint32_t;

  struct FlitEvent {
    std::uint32_t router;
    std::uint32_t channel;
    Flit flit;
  };
  struct CreditEvent {
    std::uint32_t router;
    std::uint32_t channel;
  };

  /// What an input virtual channel is about. A packet has it until its last flit leaves.
  struct Channel {
    std::uint16_t front = 0;
    std::uint16_t count = 0;
    std::uint8_t output = 0;
    /// Among the virtual channels of the output.
    std::uint8_t output_channel = 0;
    bool upper_half = false;
    bool busy = false;
    bool active = false;
  };

  /// The sets and pointers of a router that are not one for each port.
  struct Router {
    /// Heads that wait for their route, and those whose route is being computed until `route_end`.
    Set route_waiting = 0;
    Set routing = 0;
    std::uint64_t route_end = 0;
    /// Channels whose head asks for an output channel.
    Set asking = 0;
    /// Outputs that they ask for.
    std::uint64_t asked_outputs = 0;
    /// Inputs with a channel in `ready`.
    std::uint64_t ready_inputs = 0;
    /// Switch traversal takes flits in batches: when the latest one, let in or yet to be, is through.
    std::uint64_t batch_end = 0;
  };

  struct Source {
    std::uint32_t packet = no_packet;
    std::uint32_t sent = 0;
    std::uint8_t channel = 0;
    /// Where the next packet begins to look for a channel.
    std::uint8_t pointer = 0;
    std::uint64_t with_credit = 0;
  };

  /// Where a link leads to: the first of the far port's channels.
  struct Link {
    std::uint32_t router;
    std::uint32_t channel;
  };

  void receive(const FlitEvent& event);
  void take(const FlitEvent& event);
  void apply_credit(const CreditEvent& event);
  void inject(std::uint32_t node);
  void step(std::uint32_t router);
  void ask_for_route(std::uint32_t router, unsigned channel);
  void ask_for_channel(std::uint32_t router, unsigned channel);
  void collect_switch_requests(std::uint32_t router);
  void allocate_channels(std::uint32_t router);
  template <typename Grant>
  void match_channels(Set asking, std::uint64_t available, unsigned base, std::uint8_t* input_pointers,
                      std::uint8_t* output_pointers, Grant grant);
  void give_channel(std::uint32_t router, unsigned channel, unsigned output, unsigned output_channel);
  void traverse(std::uint32_t router, unsigned input, unsigned output);
  std::uint64_t departure(std::uint32_t router, unsigned output);
  void update_ready(std::uint32_t router, unsigned channel);
  bool has_work(std::uint32_t router) const;

  std::size_t port(std::uint32_t router, unsigned number) const { return std::size_t{router} * ports_ + number; }
  std::size_t at(std::uint32_t router, unsigned channel) const { return std::size_t{router} * channels_ + channel; }
  /// Virtual channels of an output that a packet may have.
  std::uint64_t allowed(unsigned output, bool upper_half) const {
    return output == lattice_.node_port() ? all_ : upper_half ? upper_ : lower_;
  }

  const Lattice& lattice_;
  RouterSettings settings_;
  unsigned ports_;
  unsigned virtual_channels_;
  unsigned channels_;
  unsigned slots_;
  std::uint64_t all_;
  std::uint64_t lower_;
  std::uint64_t upper_;

  std::array<std::uint8_t, max_router_channels> port_of_{};
  std::array<std::uint8_t, max_router_channels> channel_of_{};

  // One for each router.
  std::vector<Router> routers_;
  std::vector<std::uint64_t> active_routers_;
  // One for each port of a router.
  std::vector<Link> downstream_;
  std::vector<Link> upstream_;
  std::vector<std::uint64_t> ready_;
  std::vector<std::uint64_t> free_channels_;
  std::vector<std::uint64_t> with_credit_;
  std::vector<std::uint8_t> first_choice_;
  std::vector<std::uint8_t> switch_input_pointers_;
  std::vector<std::uint8_t> switch_output_pointers_;
  std::vector<std::uint64_t> last_departure_;
  // Two for each port of a router: channels that ask for the lower and for the upper half.
  std::vector<Set> asking_for_;
  // One for each channel of a router, on the input or on the output side.
  std::vector<Channel> inputs_;
  std::vector<Flit> buffers_;
  std::vector<std::uint16_t> credits_;
  std::vector<std::uint8_t> owners_;
  std::vector<std::uint8_t> channel_input_pointers_;
  std::vector<std::uint8_t> channel_output_pointers_;

  std::vector<Source> sources_;
  std::vector<std::uint16_t> source_credits_;
  std::vector<std::uint64_t> active_sources_;
  std::vector<std::uint32_t> freed_now_;

  Calendar<FlitEvent> arrivals_;
  Calendar<FlitEvent> ejections_;
  Calendar<CreditEvent> credit_arrivals_;
  Calendar<CreditEvent> source_credit_arrivals_;

  std::vector<Packet> packets_;
  std::vector<std::uint32_t> free_packets_;

  SwitchRequests requests_;
  /// The channel that stands for an input at an output.
  std::array<std::array<std::uint8_t, max_ports>, max_ports> chosen_{};
};

template <typename Set>
RouterNetworkOf<Set>::RouterNetworkOf(const Lattice& lattice, const RouterSettings& settings)
    : lattice_(lattice),
      settings_(settings),
      ports_(lattice.ports()),
      virtual_channels_(settings.virtual_channels),
      channels_(ports_ * virtual_channels_),
      slots_(std::bit_ceil(settings.buffer_size)),
      all_(first_members<std::uint64_t>(virtual_channels_)),
      lower_(lattice.topology() == Topology::torus ? first_members<std::uint64_t>(virtual_channels_ / 2) : all_),
      upper_(all_ & ~lower_),
      arrivals_(3 * settings.switch_traversal_delay + settings.link_latency + 2),
      ejections_(3 * settings.switch_traversal_delay + 3),
      credit_arrivals_(settings.credit_latency + settings.credit_delay + 2),
      source_credit_arrivals_(2) {
  const std::size_t routers = lattice.nodes();
  routers_.resize(routers);
  active_routers_.resize((routers + 63) / 64);
  active_sources_.resize((routers + 63) / 64);
  const std::size_t router_ports = routers * ports_;
  downstream_.resize(router_ports);
  upstream_.resize(router_ports);
  ready_.resize(router_ports);
  free_channels_.assign(router_ports, all_);
  with_credit_.assign(router_ports, all_);
  first_choice_.resize(router_ports);
  switch_input_pointers_.resize(router_ports);
  switch_output_pointers_.resize(router_ports);
  last_departure_.resize(router_ports);
  asking_for_.resize(2 * router_ports);
  const std::size_t router_channels = routers * channels_;
  inputs_.resize(router_channels);
  buffers_.resize(router_channels * slots_);
  credits_.assign(router_channels, static_cast<std::uint16_t>(settings.buffer_size));
  owners_.resize(router_channels);
  channel_input_pointers_.resize(router_channels);
  channel_output_pointers_.resize(router_channels);
  sources_.resize(routers);
  for (Source& source : sources_) source.with_credit = all_;
  source_credits_.assign(routers * virtual_channels_, static_cast<std::uint16_t>(settings.buffer_size));
  requests_.ports = ports_;
  for (unsigned i = 0; i < channels_; ++i) {
    port_of_[i] = static_cast<std::uint8_t>(i / virtual_channels_);
    channel_of_[i] = static_cast<std::uint8_t>(i % virtual_channels_);
  }
  for (std::uint32_t router = 0; router < routers; ++router) {
    for (unsigned output = 0; output < lattice.node_port(); ++output) {
      const std::uint32_t there = lattice.neighbour(router, output);
      // What leaves upwards comes in from below.
      const unsigned input = output ^ 1U;
      downstream_[port(router, output)] = {there, input * virtual_channels_};
      if (there != router) upstream_[port(there, input)] = {router, output * virtual_channels_};
    }
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
  for (const CreditEvent& event : source_credits) {
    Source& source = sources_[event.router];
    ++source_credits_[std::size_t{event.router} * virtual_channels_ + event.channel];
    source.with_credit |= bit<std::uint64_t>(event.channel);
    if (source.packet != no_packet) active_sources_[event.router / 64] |= bit<std::uint64_t>(event.router % 64);
  }
  credits_under_way_ -= source_credits.size();
  source_credits.clear();
  auto& arrivals = arrivals_.day(time_);
  for (const FlitEvent& event : arrivals) receive(event);
  arrivals.clear();
  auto& credits = credit_arrivals_.day(time_);
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
  }
  source.packet = free_packets_.back();
  free_packets_.pop_back();
  packets_[source.packet] = packet;
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
  for (std::size_t word = 0; word < active_routers_.size(); ++word) {
    for (std::uint64_t left = active_routers_[word]; left != 0; left &= left - 1) {
      const auto router = static_cast<std::uint32_t>(64 * word + lowest(left));
      step(router);
      if (!has_work(router)) active_routers_[word] &= ~(left & (~left + 1));
    }
  }
  ++time_;
}

template <typename Set>
void RouterNetworkOf<Set>::inject(std::uint32_t node) {
  Source& source = sources_[node];
  const std::uint64_t active = bit<std::uint64_t>(node % 64);
  Packet& packet = packets_[source.packet];
  if (source.sent == 0 && source.with_credit != 0) {
    source.channel = static_cast<std::uint8_t>(first_from(source.with_credit, source.pointer));
    source.pointer = behind(source.channel, virtual_channels_);
    packet.entered = time_;
  }
  if ((source.with_credit & bit<std::uint64_t>(source.channel)) == 0) {
    // Woken by the next credit.
    active_sources_[node / 64] &= ~active;
    return;
  }
  std::uint16_t& credits = source_credits_[std::size_t{node} * virtual_channels_ + source.channel];
  if (--credits == 0) source.with_credit &= ~bit<std::uint64_t>(source.channel);
  ++source.sent;
  const bool last = source.sent == packet.flits;
  arrivals_.day(time_ + 2).push_back({node, lattice_.node_port() * virtual_channels_ + source.channel,
                                      2 * source.packet + (last ? 1U : 0U)});
  if (!last) return;
  source.packet = no_packet;
  active_sources_[node / 64] &= ~active;
  freed_now_.push_back(node);
}

/// A flit comes into an input buffer.
template <typename Set>
void RouterNetworkOf<Set>::receive(const FlitEvent& event) {
  const std::size_t index = at(event.router, event.channel);
  Channel& channel = inputs_[index];
  buffers_[index * slots_ + ((channel.front + channel.count) & (slots_ - 1))] = event.flit;
  ++channel.count;
  if (!channel.busy) {
    ask_for_route(event.router, event.channel);
  } else if (channel.count == 1) {
    update_ready(event.router, event.channel);
  }
  active_routers_[event.router / 64] |= bit<std::uint64_t>(event.router % 64);
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
  credit_arrivals_.day(time_ + 2 + settings_.credit_delay).push_back({event.router, event.channel});
  ++credits_under_way_;
}

template <typename Set>
void RouterNetworkOf<Set>::apply_credit(const CreditEvent& event) {
  if (++credits_[at(event.router, event.channel)] != 1) return;
  const std::size_t output = port(event.router, port_of_[event.channel]);
  const auto channel = bit<std::uint64_t>(channel_of_[event.channel]);
  with_credit_[output] |= channel;
  if ((free_channels_[output] & channel) == 0) update_ready(event.router, owners_[at(event.router, event.channel)]);
  active_routers_[event.router / 64] |= bit<std::uint64_t>(event.router % 64);
}

/// A head has come to the front of a channel.
template <typename Set>
void RouterNetworkOf<Set>::ask_for_route(std::uint32_t router, unsigned channel) {
  inputs_[at(router, channel)].busy = true;
  if (settings_.routing_delay == 0) {
    ask_for_channel(router, channel);
  } else {
    routers_[router].route_waiting |= bit<Set>(channel);
  }
}

template <typename Set>
void RouterNetworkOf<Set>::ask_for_channel(std::uint32_t router, unsigned number) {
  const std::size_t index = at(router, number);
  Channel& channel = inputs_[index];
  const Packet& packet = packets_[buffers_[index * slots_ + channel.front] / 2];
  const bool upper = channel_of_[number] >= virtual_channels_ / 2;
  const Lattice::Step next = lattice_.route(router, packet.destination, port_of_[number], upper, packet.tie_up);
  channel.output = static_cast<std::uint8_t>(next.output);
  channel.upper_half = next.upper_half;
  asking_for_[2 * port(router, next.output) + (next.upper_half ? 1 : 0)] |= bit<Set>(number);
  routers_[router].asked_outputs |= bit<std::uint64_t>(next.output);
  routers_[router].asking |= bit<Set>(number);
}

/// One cycle of a router: what begins in this cycle sees what ended in the one before.
template <typename Set>
void RouterNetworkOf<Set>::step(std::uint32_t number) {
  Router& router = routers_[number];
  if (router.routing == 0 && router.route_waiting != 0) {
    router.routing = router.route_waiting;
    router.route_waiting = 0;
    router.route_end = time_ + settings_.routing_delay - 1;
  }
  requests_.clear();
  collect_switch_requests(number);
  if (router.asked_outputs != 0) allocate_channels(number);
  if (router.routing != 0 && router.route_end == time_) {
    for (Set left = router.routing; left != 0; left &= left - 1) ask_for_channel(number, lowest(left));
    router.routing = 0;
  }
  if (requests_.inputs == 0) return;
  allocate_switch(requests_, settings_.allocator, settings_.iterations, &switch_input_pointers_[port(number, 0)],
                  &switch_output_pointers_[port(number, 0)],
                  [&](unsigned input, unsigned output) { traverse(number, input, output); });
}

/// For each input and output one channel asks: the first from the input's pointer on, and one that has its output channel
/// before one that does not.
template <typename Set>
void RouterNetworkOf<Set>::collect_switch_requests(std::uint32_t number) {
  const Router& router = routers_[number];
  const auto add = [&](unsigned input, std::uint64_t candidates, bool urgent) {
    const unsigned pointer = first_choice_[port(number, input)];
    while (candidates != 0) {
      const unsigned v = first_from(candidates, pointer);
      candidates &= ~bit<std::uint64_t>(v);
      const unsigned output = inputs_[at(number, input * virtual_channels_ + v)].output;
      if (requests_.has(input, output)) continue;
      requests_.add(input, output, urgent);
      chosen_[input][output] = static_cast<std::uint8_t>(v);
    }
  };
  for (std::uint64_t left = router.ready_inputs; left != 0; left &= left - 1) {
    add(lowest(left), ready_[port(number, lowest(left))], true);
  }
  if (!settings_.speculative || router.asking == 0) return;
  Set hopeful = 0;
  for (std::uint64_t left = router.asked_outputs; left != 0; left &= left - 1) {
    const unsigned output = lowest(left);
    const std::size_t index = port(number, output);
    const std::uint64_t usable = free_channels_[index] & with_credit_[index];
    if ((usable & allowed(output, false)) != 0) hopeful |= asking_for_[2 * index];
    if ((usable & allowed(output, true)) != 0) hopeful |= asking_for_[2 * index + 1];
  }
  while (hopeful != 0) {
    const unsigned input = port_of_[lowest(hopeful)];
    const unsigned shift = input * virtual_channels_;
    const auto candidates = static_cast<std::uint64_t>(hopeful >> shift) & all_;
    hopeful &= ~(Set{candidates} << shift);
    add(input, candidates, false);
  }
}

template <typename Set>
void RouterNetworkOf<Set>::allocate_channels(std::uint32_t number) {
  for (std::uint64_t left = routers_[number].asked_outputs; left != 0; left &= left - 1) {
    const unsigned output = lowest(left);
    const std::size_t index = port(number, output);
    for (const bool upper : {false, true}) {
      const Set asking = asking_for_[2 * index + (upper ? 1 : 0)];
      const std::uint64_t available = free_channels_[index] & allowed(output, upper);
      if (asking == 0 || available == 0) continue;
      match_channels(asking, available, output * virtual_channels_, &channel_input_pointers_[at(number, 0)],
                     &channel_output_pointers_[at(number, 0)],
                     [&](unsigned channel, unsigned v) { give_channel(number, channel, output, v); });
    }
  }
}

/// Matches channels that ask for the same output with its available ones, the first of which has the number `base`.
template <typename Set>
template <typename Grant>
void RouterNetworkOf<Set>::match_channels(Set asking, std::uint64_t available, unsigned base,
                                          std::uint8_t* input_pointers, std::uint8_t* output_pointers, Grant grant) {
  // The pointer goes round all channels of the router; outside of this output it means its first one.
  const auto start = [&](unsigned input) {
    const unsigned pointer = input_pointers[input];
    return pointer > base && pointer < base + virtual_channels_ ? pointer - base : 0U;
  };
  const auto settle = [&](unsigned input, unsigned v, bool move) {
    if (move) {
      input_pointers[input] = behind(base + v, channels_);
      output_pointers[base + v] = behind(input, channels_);
    }
    grant(input, v);
  };
  if ((asking & (asking - 1)) == 0) {
    const unsigned input = lowest(asking);
    settle(input, first_from(available, start(input)), true);
    return;
  }
  if (settings_.allocator == Allocator::separable_input_first) {
    std::array<Set, 64> offers;
    std::uint64_t offered = 0;
    for (Set left = asking; left != 0; left &= left - 1) {
      const unsigned input = lowest(left);
      const unsigned v = first_from(available, start(input));
      if ((offered & bit<std::uint64_t>(v)) == 0) offers[v] = 0;
      offered |= bit<std::uint64_t>(v);
      offers[v] |= bit<Set>(input);
    }
    for (; offered != 0; offered &= offered - 1) {
      const unsigned v = lowest(offered);
      settle(first_from(offers[v], output_pointers[base + v]), v, true);
    }
    return;
  }
  std::array<std::uint64_t, max_router_channels> offers;
  for (unsigned iteration = 0; iteration < settings_.iterations && asking != 0 && available != 0; ++iteration) {
    Set offered = 0;
    for (std::uint64_t left = available; left != 0; left &= left - 1) {
      const unsigned v = lowest(left);
      const unsigned input = first_from(asking, output_pointers[base + v]);
      if ((offered & bit<Set>(input)) == 0) offers[input] = 0;
      offered |= bit<Set>(input);
      offers[input] |= bit<std::uint64_t>(v);
    }
    asking &= ~offered;
    for (; offered != 0; offered &= offered - 1) {
      const unsigned input = lowest(offered);
      const unsigned v = first_from(offers[input], start(input));
      available &= ~bit<std::uint64_t>(v);
      settle(input, v, iteration == 0);
    }
  }
}

template <typename Set>
void RouterNetworkOf<Set>::give_channel(std::uint32_t number, unsigned input, unsigned output, unsigned v) {
  Router& router = routers_[number];
  const std::size_t index = port(number, output);
  Channel& channel = inputs_[at(number, input)];
  channel.output_channel = static_cast<std::uint8_t>(v);
  channel.active = true;
  owners_[at(number, output * virtual_channels_ + v)] = static_cast<std::uint8_t>(input);
  free_channels_[index] &= ~bit<std::uint64_t>(v);
  router.asking &= ~bit<Set>(input);
  asking_for_[2 * index + (channel.upper_half ? 1 : 0)] &= ~bit<Set>(input);
  if ((asking_for_[2 * index] | asking_for_[2 * index + 1]) == 0) {
    router.asked_outputs &= ~bit<std::uint64_t>(output);
  }
  update_ready(number, input);
}

/// Ready: has an output channel, a flit and a credit.
template <typename Set>
void RouterNetworkOf<Set>::update_ready(std::uint32_t router, unsigned number) {
  const Channel& channel = inputs_[at(router, number)];
  const unsigned input = port_of_[number];
  std::uint64_t& ready = ready_[port(router, input)];
  const auto member = bit<std::uint64_t>(channel_of_[number]);
  const bool credit = ((with_credit_[port(router, channel.output)] >> channel.output_channel) & 1) != 0;
  if (channel.active && channel.count != 0 && credit) {
    ready |= member;
    routers_[router].ready_inputs |= bit<std::uint64_t>(input);
  } else {
    ready &= ~member;
    if (ready == 0) routers_[router].ready_inputs &= ~bit<std::uint64_t>(input);
  }
}

/// The switch joins an input to an output. A head that was let ask before it had an output channel may have none now, or
/// one without credit: then the switch was given in vain.
template <typename Set>
void RouterNetworkOf<Set>::traverse(std::uint32_t number, unsigned input, unsigned output) {
  const unsigned v = chosen_[input][output];
  first_choice_[port(number, input)] = behind(v, virtual_channels_);
  if (((ready_[port(number, input)] >> v) & 1) == 0) return;
  const unsigned own = input * virtual_channels_ + v;
  const std::size_t index = at(number, own);
  Channel& channel = inputs_[index];
  const Flit flit = buffers_[index * slots_ + channel.front];
  channel.front = static_cast<std::uint16_t>((channel.front + 1U) & (slots_ - 1));
  --channel.count;
  ++flit_hops_;

  const unsigned out = output * virtual_channels_ + channel.output_channel;
  if (--credits_[at(number, out)] == 0) {
    with_credit_[port(number, output)] &= ~bit<std::uint64_t>(channel.output_channel);
  }
  ++credits_under_way_;
  if (input == lattice_.node_port()) {
    source_credit_arrivals_.day(time_ + 2).push_back({number, v});
  } else {
    const Link& link = upstream_[port(number, input)];
    credit_arrivals_.day(time_ + settings_.credit_latency + 1 + settings_.credit_delay)
        .push_back({link.router, link.channel + v});
  }
  const std::uint64_t leaves = departure(number, output);
  if (output == lattice_.node_port()) {
    ejections_.day(leaves + 2).push_back({number, out, flit});
  } else {
    const Link& link = downstream_[port(number, output)];
    arrivals_.day(leaves + settings_.link_latency + 1).push_back({link.router, link.channel + channel.output_channel, flit});
  }
  if (flit % 2 != 0) {
    free_channels_[port(number, output)] |= bit<std::uint64_t>(channel.output_channel);
    channel.active = false;
    channel.busy = false;
    if (channel.count != 0) ask_for_route(number, own);
  }
  update_ready(number, own);
}

/// When a flit that won the switch in this cycle is put on its link. Traversal lets in a batch when the one before has
/// ended; flits of a batch for the same output follow each other.
template <typename Set>
std::uint64_t RouterNetworkOf<Set>::departure(std::uint32_t number, unsigned output) {
  const unsigned delay = settings_.switch_traversal_delay;
  if (delay == 1) return time_ + 1;
  Router& router = routers_[number];
  const bool let_in = router.batch_end <= time_ + delay;
  if (let_in) router.batch_end = std::max(time_ + 1, router.batch_end) + delay;
  std::uint64_t& last = last_departure_[port(number, output)];
  last = std::max(router.batch_end - 1, last + 1);
  return last;
}

template <typename Set>
bool RouterNetworkOf<Set>::has_work(std::uint32_t number) const {
  const Router& router = routers_[number];
  if (router.ready_inputs != 0 || router.route_waiting != 0 || router.routing != 0) return true;
  for (std::uint64_t left = router.asked_outputs; left != 0; left &= left - 1) {
    const unsigned output = lowest(left);
    const std::size_t index = port(number, output);
    if (asking_for_[2 * index] != 0 && (free_channels_[index] & allowed(output, false)) != 0) return true;
    if (asking_for_[2 * index + 1] != 0 && (free_channels_[index] & allowed(output, true)) != 0) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<RouterNetwork> make_router_network(const Lattice& lattice, const RouterSettings& settings) {
  const std::vector<std::string> problems =
      problems_of(lattice.topology(), lattice.radix(), lattice.dimensions(), settings);
  if (!problems.empty()) throw std::invalid_argument(fmt::format("{}", fmt::join(problems, "; ")));
  if (lattice.ports() * settings.virtual_channels <= 64) {
    return std::make_unique<RouterNetworkOf<std::uint64_t>>(lattice, settings);
  }
  return std::make_unique<RouterNetworkOf<WideBits>>(lattice, settings);
}

}  // namespace pimsweep::noc
