#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hardware/noc/router/tile.h"

// Links, sources and nodes: credits, injection and ejection.
namespace pimsweep::hardware::noc::router {

template <typename Capacity>
void Tile<Capacity>::apply_credits(EventList<ChannelNumber>& credits) {
  if (credits.size() == 0) return;
  const HotState hot = hot_state();
  std::uint32_t* ready_end = ready_outputs_.open_end();
  for (const ChannelNumber& number : credits) {
    prefetch(&hot.outputs[port_of_channel(credits.ahead(number))]);
    const unsigned v = virtual_channel_of(number);
    Output& output = hot.outputs[port_of_channel(number)];
    OutputChannel& channel = output.channels[v];
    if (++channel.credits != 1) continue;
    if (((output.free >> v) & 1) != 0) continue;
    const std::uint32_t input = output.router_port + hot.shape.port_of(channel.owner);
    const unsigned waiting = hot.shape.channel_of(channel.owner);
    if (hot.inputs[input].channels[waiting].count != 0) ready_end = make_ready(hot, input, waiting, ready_end);
  }
  ready_outputs_.open_end() = ready_end;
  counts.credits_under_way -= credits.size();
  credits.clear();
}

/// An active channel with a flit, which is ready if it has a credit. Returns the end of the list of ready outputs.
template <typename Capacity>
std::uint32_t* Tile<Capacity>::make_ready(const HotState& hot, std::uint32_t port, unsigned v,
                                          std::uint32_t* ready_end) {
  const Input& input = hot.inputs[port];
  const InputChannel& channel = input.channels[v];
  const std::uint32_t there = input.router_port + channel.output;
  Output& output = hot.outputs[there];
  if (output.channels[channel.output_channel].credits == 0) return ready_end;
  *ready_end = there;
  ready_end += output.ready == 0 ? 1 : 0;
  output.ready |= bit<Set>(input.first_member + v);
  return ready_end;
}

/// Finds the lists to which flits and credits of this cycle are added.
template <typename Capacity>
void Tile<Capacity>::open_lists() {
  for_each_list([&](std::size_t i, auto& flits, auto& credits) {
    flit_ends_[i] = flits.open_end();
    credit_ends_[i] = credits.open_end();
  });
}

template <typename Capacity>
void Tile<Capacity>::close_lists() {
  for_each_list([&](std::size_t i, auto& flits, auto& credits) {
    if (settings_.switch_traversal_delay == 1) flits.open_end() = flit_ends_[i];
    credits.open_end() = credit_ends_[i];
  });
}

template <typename Capacity>
template <typename Visit>
void Tile<Capacity>::for_each_list(Visit visit) {
  visit(own_nodes, ejections_.cycle(time + 3), source_credit_arrivals_.cycle(time + 2));
  for (std::size_t i = 0; i < outboxes_.size(); ++i) {
    visit(own_tile + i, outboxes_[i].arrivals.cycle(time + settings_.link_latency + 2),
          outboxes_[i].credits.cycle(time + settings_.credit_latency + 1 + settings_.credit_delay));
  }
}

template <typename Capacity>
void Tile<Capacity>::send(const Packet& packet) {
  const std::uint32_t place = packets_.acquire();
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

/// Each source sends a flit, if it has one and a credit.
template <typename Capacity>
void Tile<Capacity>::inject() {
  EventList<FlitEvent>& arrivals = own_outbox().arrivals.cycle(time + 2);
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
      // The next credit wakes the source.
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

template <typename Capacity>
void Tile<Capacity>::apply_source_credits() {
  auto& credits = source_credit_arrivals_.cycle(time);
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

/// Nodes receive flits, and return credits.
template <typename Capacity>
void Tile<Capacity>::eject_flits() {
  auto& ejections = ejections_.cycle(time);
  auto& credits = own_outbox().credits.cycle(time + 2 + settings_.credit_delay);
  for (const FlitEvent& event : ejections) {
    const std::uint32_t place = event.flit.packet & place_mask;
    const std::uint32_t tile = event.flit.packet >> tile_shift;
    const Packet& packet = tiles_[tile]->packets_[place];
    counts.created_sum -= packet.created;
    credits.add(event.channel);
    if (event.flit.last == 0) continue;
    delivered.push_back(packet);
    if (tile == number_) {
      packets_.release(place);
    } else {
      received_[tile][time / round_cycles & 1].push_back(place);
    }
  }
  counts.taken_flits += ejections.size();
  counts.flits_under_way -= ejections.size();
  counts.credits_under_way += ejections.size();
  ejections.clear();
}

/// Frees the packets received in the previous round, to which nothing is added in this one.
template <typename Capacity>
void Tile<Capacity>::reclaim_packets() {
  for (const auto& tile : tiles_) {
    std::vector<std::uint32_t>& received = tile->received_[number_][(time / round_cycles & 1) ^ 1];
    for (const std::uint32_t packet : received) packets_.release(packet);
    received.clear();
  }
}

}  // namespace pimsweep::hardware::noc::router
