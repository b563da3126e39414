#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "hardware/noc/router/tile.h"

// Fourth stage: switch traversal.
namespace pimsweep::hardware::noc::router {

template <typename Capacity>
void Tile<Capacity>::traverse_switch() {
  const auto use = [this]<bool granted, bool speculative>() {
    if (settings_.switch_traversal_delay == 1) {
      traverse_switch_on<granted, speculative, true>();
    } else {
      traverse_switch_on<granted, speculative, false>();
    }
  };
  if (grants_.size() != 0) {
    if (output_first_ && settings_.speculative) {
      use.template operator()<true, true>();
    } else if (output_first_) {
      use.template operator()<true, false>();
    } else {
      use.template operator()<false, true>();
    }
    grants_.clear();
  }
  // Where every ready output has granted an input, traverse_switch_on() has kept the outputs that are still ready.
  if (!output_first_ || settings_.speculative) keep_ready_outputs();
  ready_outputs_.clear();
  std::swap(ready_outputs_, next_ready_outputs_);
}

/// `granted`: grants of which each input accepts one; otherwise matches. `speculative`: a head may still lack an output
/// channel.
template <typename Capacity>
template <bool granted, bool speculative, bool one_cycle>
void Tile<Capacity>::traverse_switch_on() {
  const HotState hot = hot_state();
  ListEnds ends{heads_.open_end(), channel_requests_[next_parity()].open_end()};
  std::uint32_t* ready_end = next_ready_outputs_.open_end();
  std::size_t unused = 0;
  for (const Grant& entry : grants_) {
    const Grant later = grants_.ahead(entry);
    prefetch(&hot.inputs[port_of_channel(later.input)]);
    prefetch(&hot.outputs[later.output]);
    const Grant match = entry;
    Input& input = hot.inputs[port_of_channel(match.input)];
    Output& output = hot.outputs[match.output];
    if constexpr (granted) {
      const PortSet grants = input.grants;
      const unsigned number = output.number;
      *ready_end = match.output;
      // The grants of other outputs end once the input has accepted one.
      if (grants != bit<PortSet>(number) &&
          ((grants & bit<PortSet>(number)) == 0 || first_from(grants, input.pointer) != number)) {
        if constexpr (!speculative) ++ready_end;
        ++unused;
        continue;
      }
      input.grants = 0;
      input.pointer = output.next_number;
      output.pointer = input.next_number;
    }
    const unsigned v = virtual_channel_of(match.input);
    input.first_choices = static_cast<typename Capacity::Channels>(~ChannelBits{1} << v);
    // A speculative head may still lack an output channel, or a credit; its match is then wasted.
    if (speculative && ((output.ready >> (input.first_member + v)) & 1) == 0) {
      ++unused;
      continue;
    }
    traverse<one_cycle>(hot, ends, input, output, match);
    if constexpr (granted && !speculative) ready_end += output.ready != 0 ? 1 : 0;
  }
  heads_.open_end() = ends.heads;
  channel_requests_[next_parity()].open_end() = ends.channel_requests;
  next_ready_outputs_.open_end() = ready_end;
  counts.flit_hops += grants_.size() - unused;
  counts.credits_under_way += grants_.size() - unused;
}

/// Sends a flit through the switch, and a credit upstream.
template <typename Capacity>
template <bool one_cycle>
void Tile<Capacity>::traverse(const HotState& hot, ListEnds& ends, Input& from, Output& to, Grant match) {
  const unsigned v = virtual_channel_of(match.input);
  InputChannel& channel = from.channels[v];
  const Flit flit = hot.flit_at(port_of_channel(match.input), v, channel.front);
  const unsigned out = channel.output_channel;
  const unsigned left = channel.count - 1U;
  channel.count = static_cast<std::uint16_t>(left);
  // An empty buffer starts again at its first slot.
  channel.front = static_cast<std::uint16_t>(left == 0 ? 0 : channel.front + 1);
  OutputChannel& to_channel = to.channels[out];
  const unsigned credits = to_channel.credits - 1U;
  to_channel.credits = static_cast<std::uint16_t>(credits);

  *(*from.credits)++ = from.upstream + v;
  if constexpr (one_cycle) {
    // Written in place: copying the whole struct would wait for the stores of both parts.
    FlitEvent* const event = (*to.flits)++;
    event->flit = flit;
    event->channel = to.downstream + out;
  } else {
    depart(to, {flit, to.downstream + out});
  }

  if (flit.last == 0) {
    if (left != 0 && credits != 0) return;
  } else {
    to.free = static_cast<typename Capacity::Channels>(to.free | bit<ChannelBits>(out));
    channel.output_channel = InputChannel::none;
    *ends.heads = match.input;
    ends.heads += left != 0 ? 1 : 0;
    if (to.blocked != 0) {
      Set& requests = to.channel_requests[next_parity()];
      *ends.channel_requests = match.output;
      ends.channel_requests += requests == 0 ? 1 : 0;
      requests |= to.blocked;
      to.blocked = 0;
    }
  }
  to.ready &= ~bit<Set>(from.first_member + v);
}

/// Keeps the outputs that are still ready: of those that were ready in this cycle, and of those that became ready
/// since.
template <typename Capacity>
void Tile<Capacity>::keep_ready_outputs() {
  std::uint32_t* keep = next_ready_outputs_.open_begin();
  for (const std::uint32_t port : next_ready_outputs_) {
    *keep = port;
    keep += outputs_[port].ready != 0 ? 1 : 0;
  }
  for (const std::uint32_t port : ready_outputs_) {
    *keep = port;
    keep += outputs_[port].ready != 0 ? 1 : 0;
  }
  next_ready_outputs_.open_end() = keep;
}

/// Puts a flit that won the switch in this cycle on its link later. Traversal admits a batch when the previous one has
/// ended; flits of a batch for the same output follow each other.
template <typename Capacity>
void Tile<Capacity>::depart(const Output& to, const FlitEvent& event) {
  const unsigned delay = settings_.switch_traversal_delay;
  std::uint64_t& batch_end = batch_ends_[to.router_port / shape_.ports()];
  const bool let_in = batch_end <= time + delay;
  if (let_in) batch_end = std::max(time + 1, batch_end) + delay;
  std::uint64_t& last = last_departures_[to.router_port + to.number];
  last = std::max(batch_end - 1, last + 1);
  const auto list = static_cast<std::uint32_t>(to.flits - flit_ends_.data());
  if (list == own_nodes) {
    ejections_.cycle(last + 2).add(event);
  } else {
    outboxes_[list - own_tile].arrivals.cycle(last + settings_.link_latency + 1).add(event);
  }
}

}  // namespace pimsweep::hardware::noc::router
