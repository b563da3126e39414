#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "hardware/noc/router/tile.h"

// Construction, links between tiles, copies.
namespace pimsweep::hardware::noc::router {

template <typename Capacity>
Tile<Capacity>::Tile(const Lattice& lattice, const RouterSettings& settings, const std::vector<std::uint8_t>& routes,
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
      output_first_(settings.iterations == 1 && settings.allocator != Allocator::separable_input_first &&
                    (!settings.speculative || settings.allocator == Allocator::islip)),
      input_first_(!settings.speculative && settings.allocator == Allocator::separable_input_first),
      route_by_(settings.routing_delay > 1 ? RouteBy::stage
                : !routes.empty()          ? RouteBy::table
                                           : computed_routes()),
      routes_(routes.empty() ? nullptr : &routes[std::size_t{first_router_} * lattice.nodes()]),
      inputs_(std::size_t{routers_} * lattice.ports(), &memory),
      outputs_(inputs_.size(), &memory),
      slot_mask_(std::bit_ceil(settings.buffer_size) - 1),
      slot_size_(inputs_.size() * settings.virtual_channels),
      buffers_(std::pmr::polymorphic_allocator<Flit>(&memory).allocate(slot_size_ * (slot_mask_ + 1))),
      ready_outputs_(outputs_.size(), memory),
      next_ready_outputs_(outputs_.size(), memory),
      grants_(outputs_.size(), memory),
      requesters_(input_first_ ? inputs_.size() : 0, memory),
      channel_requests_{EventList<std::uint32_t>(outputs_.size(), memory),
                        EventList<std::uint32_t>(outputs_.size(), memory)},
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
      matched_at_(output_first_ || input_first_ ? 0 : routers_, ~std::uint64_t{0}) {
  if (halves_ == 2) {
    half_[0] = first_members<ChannelBits>(settings.virtual_channels / 2);
    half_[1] = all_ & ~half_[0];
  }
  requests_.ports = lattice.ports();
  received_.resize(first_routers.size() - 1);
  join_ports(lattice, first_routers, memory);
}

template <typename Capacity>
void Tile<Capacity>::join_ports(const Lattice& lattice, const std::vector<std::uint32_t>& first_routers,
                                std::pmr::monotonic_buffer_resource& memory) {
  const unsigned ports = shape_.ports();
  // Destination tiles of the lists from own_tile on.
  std::vector<std::uint32_t> tiles{number_};
  // By port: the list of flits that leave it, and the list of credits for flits that arrive at it.
  std::vector<std::uint32_t> flit_lists(outputs_.size(), own_nodes);
  std::vector<std::uint32_t> credit_lists(inputs_.size(), own_nodes);
  // The list for the tile at the far end of a link.
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
    output.free = static_cast<typename Capacity::Channels>(all_);
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
    // The two directions of a link connect the same pair of ports.
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

/// A link carries at most one flit and one credit per cycle, so the lists never grow.
template <typename Capacity>
void Tile<Capacity>::make_lists(const std::vector<std::uint32_t>& tiles,
                                const std::vector<std::uint32_t>& lists_of_ports,
                                std::pmr::monotonic_buffer_resource& memory) {
  std::vector<std::size_t> links(own_tile + tiles.size());
  for (const std::uint32_t list : lists_of_ports) ++links[list];
  // The tile's own list also takes flits of sources and credits of nodes.
  links[own_tile] += links[own_nodes];
  // The tile that reads the lists may be behind.
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

template <typename Capacity>
void Tile<Capacity>::connect() {
  for (Outbox& outbox : outboxes_) tiles_[outbox.tile]->inboxes_.push_back(&outbox);
}

template <typename Capacity>
void Tile<Capacity>::assign(const Tile& other) {
  TileState::operator=(other);
  const HotState hot = hot_state();
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
        hot.flit_at(port, v, channel.front + i) = other.buffers_[&hot.flit_at(port, v, channel.front + i) - buffers_];
      }
    }
  }
  ready_outputs_.assign(other.ready_outputs_);
  for (const unsigned parity : {0U, 1U}) channel_requests_[parity].assign(other.channel_requests_[parity]);
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

}  // namespace pimsweep::hardware::noc::router
