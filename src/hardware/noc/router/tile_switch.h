#pragma once

#include <cstdint>

#include "hardware/noc/router/switch_allocator.h"
#include "hardware/noc/router/tile.h"

// Third stage: switch allocation.
namespace pimsweep::hardware::noc::router {

/// Finds the matches of inputs and outputs, or grants of which each input has yet to accept one.
template <typename Capacity>
void Tile<Capacity>::allocate_switch() {
  if (output_first_) {
    if (settings_.speculative) {
      make_grants<true>();
    } else {
      make_grants<false>();
    }
  } else if (input_first_) {
    match_by_inputs();
  } else {
    match_by_requests();
  }
}

/// One iteration of iSLIP, and separable_output_first without deferred requests: each ready output grants the first
/// requesting input from its pointer on; each input will accept the first grant from its own pointer on.
template <typename Capacity>
template <bool speculative>
void Tile<Capacity>::make_grants() {
  const HotState hot = hot_state();
  Grant* grant = grants_.open_end();
  for (const std::uint32_t& port : ready_outputs_) {
    prefetch(&hot.outputs[ready_outputs_.ahead(port)]);
    const Output& output = hot.outputs[port];
    grant =
        make_grant<speculative>(hot, port, output.ready, speculative ? speculative_requests(output) : Set{0}, grant);
  }
  if constexpr (speculative) {
    // Heads that request a channel may also request the switch.
    for (const std::uint32_t port : channel_requests_[cycle_parity()]) {
      const Output& output = hot.outputs[port];
      if (output.ready != 0) continue;
      if (const Set requests = speculative_requests(output); requests != 0)
        grant = make_grant<true>(hot, port, 0, requests, grant);
    }
  }
  grants_.open_end() = grant;
}

/// Returns the end of the list of grants. Speculative requests of an input come after those of ready channels.
template <typename Capacity>
template <bool speculative>
typename Tile<Capacity>::Grant* Tile<Capacity>::make_grant(const HotState& hot, std::uint32_t port, Set ready,
                                                           Set speculative_set, Grant* grant) {
  const Shape<Capacity> shape = hot.shape;
  const Output& output = hot.outputs[port];
  // The first member at or after the pointer's first channel belongs to the first requesting input.
  const unsigned from = shape.port_of(first_from(ready | speculative_set, shape.member(output.pointer, 0)));
  const std::uint32_t there = output.router_port + from;
  Input& input = hot.inputs[there];
  const unsigned v = hot.template choose<speculative>(input, ready, speculative_set);
  input.grants |= bit<PortSet>(output.number);
  grant->output = port;
  grant->input = channel_number(there, v);
  return grant + 1;
}

/// Input channels whose heads may be allocated a channel of the output with a credit in this cycle.
template <typename Capacity>
typename Tile<Capacity>::Set Tile<Capacity>::speculative_requests(const Output& output) const {
  ChannelBits with_credit = 0;
  for (ChannelBits left = output.free; left != 0; left &= left - 1) {
    const unsigned v = lowest(left);
    with_credit |= ChannelBits{output.channels[v].credits != 0} << v;
  }
  const Set requests = output.channel_requests[cycle_parity()];
  if (halves_ == 1) return with_credit != 0 ? requests : 0;
  Set found = 0;
  if ((with_credit & allowed(output.number, 0)) != 0) found |= requests & ~output.upper;
  if ((with_credit & allowed(output.number, 1)) != 0) found |= requests & output.upper;
  return found;
}

/// separable_input_first without deferred requests: each input with a ready channel requests the first output from its
/// pointer on; each output accepts the first such input from its own pointer on.
template <typename Capacity>
void Tile<Capacity>::match_by_inputs() {
  const HotState hot = hot_state();
  const Shape<Capacity> shape = hot.shape;
  std::uint32_t* requesters = requesters_.open_end();
  for (const std::uint32_t port : ready_outputs_) {
    const Output& output = hot.outputs[port];
    for (Set left = output.ready; left != 0;) {
      const unsigned from = shape.port_of(lowest(left));
      const std::uint32_t there = output.router_port + from;
      PortSet& requests = hot.inputs[there].grants;
      *requesters = there;
      requesters += requests == 0 ? 1 : 0;
      requests |= bit<PortSet>(output.number);
      left &= ~(Set{all_} << shape.member(from, 0));
    }
  }
  requesters_.open_end() = requesters;
  for (const std::uint32_t there : requesters_) {
    Input& input = hot.inputs[there];
    Output& output = hot.outputs[input.router_port + first_from(input.grants, input.pointer)];
    input.grants = 0;
    output.requested_by |= bit<PortSet>(input.number);
  }
  requesters_.clear();
  Grant* match = grants_.open_end();
  for (const std::uint32_t port : ready_outputs_) {
    Output& output = hot.outputs[port];
    if (output.requested_by == 0) continue;
    const std::uint32_t there = output.router_port + first_from(output.requested_by, output.pointer);
    output.requested_by = 0;
    Input& input = hot.inputs[there];
    input.pointer = output.next_number;
    output.pointer = input.next_number;
    *match++ = {port, channel_number(there, hot.template choose<false>(input, output.ready, 0))};
  }
  grants_.open_end() = match;
}

/// The other allocators, router by router.
template <typename Capacity>
void Tile<Capacity>::match_by_requests() {
  const auto match_routers = [this](const EventList<std::uint32_t>& outputs) {
    for (const std::uint32_t port : outputs) {
      const std::uint32_t router_port = outputs_[port].router_port;
      std::uint64_t& matched = matched_at_[router_port / shape_.ports()];
      if (matched == time) continue;
      matched = time;
      match_router(router_port);
    }
  };
  match_routers(ready_outputs_);
  // Heads that request a channel may also request the switch.
  if (settings_.speculative) match_routers(channel_requests_[cycle_parity()]);
}

template <typename Capacity>
void Tile<Capacity>::match_router(std::uint32_t router_port) {
  collect_requests(router_port);
  Input* const inputs = &inputs_[router_port];
  Output* const outputs = &outputs_[router_port];
  const HotState hot = hot_state();
  router::allocate_switch(
      requests_, settings_.allocator, settings_.iterations, inputs, outputs, [&](unsigned input, unsigned output) {
        const unsigned v =
            hot.template choose<true>(inputs[input], outputs[output].ready, speculative_requests_[output]);
        grants_.add({router_port + output, channel_number(router_port + input, v)});
      });
  requests_.clear();
}

/// Collects the requests of inputs for outputs of one router.
template <typename Capacity>
void Tile<Capacity>::collect_requests(std::uint32_t router_port) {
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
    speculative_requests_[output] = speculative_requests(port);
    add(output, speculative_requests_[output], true);
  }
}

}  // namespace pimsweep::hardware::noc::router
