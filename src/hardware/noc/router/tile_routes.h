#pragma once

#include <cstdint>

#include "hardware/noc/router/tile.h"

// First stage: buffer write and route computation.
namespace pimsweep::hardware::noc::router {

/// Flits enter input buffers. Heads are routed as they arrive, unless route computation takes two cycles or more.
template <typename Capacity>
void Tile<Capacity>::receive(EventList<FlitEvent>& arrivals) {
  if (arrivals.size() == 0) return;
  dispatch_routes([&]<RouteBy how>() { receive_on<how>(arrivals); });
  arrivals.clear();
}

template <typename Capacity>
template <typename Tile<Capacity>::RouteBy how>
void Tile<Capacity>::receive_on(EventList<FlitEvent>& arrivals) {
  const HotState hot = hot_state();
  const Routes routes = this->routes();
  const unsigned parity = request_parity();
  ChannelNumber* heads = heads_.open_end();
  std::uint32_t* requests_end = channel_requests_[parity].open_end();
  std::uint32_t* ready_end = ready_outputs_.open_end();
  for (const FlitEvent& event : arrivals) {
    prefetch(&hot.inputs[port_of_channel(arrivals.ahead(event).channel)]);
    const std::uint32_t port = port_of_channel(event.channel);
    const unsigned v = virtual_channel_of(event.channel);
    Input& input = hot.inputs[port];
    InputChannel& channel = input.channels[v];
    const unsigned before = channel.count;
    const Flit flit = event.flit;
    hot.flit_at(port, v, channel.front + before) = flit;
    channel.count = static_cast<std::uint16_t>(before + 1);
    if (before != 0) continue;
    if (channel.output_channel == InputChannel::none) {
      if constexpr (how == RouteBy::stage) {
        *heads++ = event.channel;
      } else {
        requests_end = request_channel<how == RouteBy::torus>(hot, input, v, route<how>(routes, hot, input, v, flit),
                                                              parity, requests_end);
      }
    } else {
      ready_end = make_ready(hot, port, v, ready_end);
    }
  }
  heads_.open_end() = heads;
  channel_requests_[parity].open_end() = requests_end;
  ready_outputs_.open_end() = ready_end;
}

template <typename Capacity>
template <typename Visit>
void Tile<Capacity>::dispatch_routes(Visit visit) {
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

template <typename Capacity>
template <typename Tile<Capacity>::RouteBy how>
Lattice::Step Tile<Capacity>::route(const Routes& routes, const HotState& hot, const Input& input, unsigned v,
                                    Flit head) {
  if constexpr (how == RouteBy::table) return {routes.table[input.routes + head.destination], false};
  constexpr Topology topology = how == RouteBy::mesh    ? Topology::mesh
                                : how == RouteBy::torus ? Topology::torus
                                                        : Topology::h_tree;
  const bool upper_half = v >= hot.shape.virtual_channels() / 2;
  return routes.lattice.template route<topology>(routes.first_router + input.routes, head.destination, input.number,
                                                 upper_half, head.tie_up);
}

/// Heads that came to the front of their channel in the previous cycle are routed as if they arrived now.
template <typename Capacity>
void Tile<Capacity>::route_heads() {
  if (heads_.size() == 0) return;
  dispatch_routes([&]<RouteBy how>() { route_heads_on<how>(); });
  heads_.clear();
}

template <typename Capacity>
template <typename Tile<Capacity>::RouteBy how>
void Tile<Capacity>::route_heads_on() {
  const HotState hot = hot_state();
  if constexpr (how == RouteBy::stage) {
    for (const ChannelNumber head : heads_) {
      const Input& input = hot.inputs[port_of_channel(head)];
      routing_[input.routes].waiting |= bit<Set>(input.first_member + virtual_channel_of(head));
      routing_routers_.add(input.routes);
    }
  } else {
    const Routes routes = this->routes();
    const unsigned parity = request_parity();
    std::uint32_t* requests_end = channel_requests_[parity].open_end();
    for (const ChannelNumber number : heads_) {
      const std::uint32_t port = port_of_channel(number);
      const unsigned v = virtual_channel_of(number);
      Input& input = hot.inputs[port];
      const Flit head = hot.flit_at(port, v, input.channels[v].front);
      requests_end = request_channel<how == RouteBy::torus>(hot, input, v, route<how>(routes, hot, input, v, head),
                                                            parity, requests_end);
    }
    channel_requests_[parity].open_end() = requests_end;
  }
}

/// Starts the route computation of waiting heads, in routers without a computation in progress.
template <typename Capacity>
void Tile<Capacity>::begin_routes() {
  for (const std::uint32_t router : routing_routers_.list()) {
    Routing& routing = routing_[router];
    if (routing.under_way != 0) continue;
    routing.under_way = routing.waiting;
    routing.waiting = 0;
    routing.end = time + settings_.routing_delay - 1;
  }
}

/// Ends route computations; their heads request a channel from the next cycle on.
template <typename Capacity>
void Tile<Capacity>::end_routes() {
  const HotState hot = hot_state();
  const unsigned parity = next_parity();
  std::uint32_t* requests_end = channel_requests_[parity].open_end();
  for (const std::uint32_t router : routing_routers_.list()) {
    Routing& routing = routing_[router];
    if (routing.end != time) continue;
    for (Set left = routing.under_way; left != 0; left &= left - 1) {
      const std::uint32_t port = router * shape_.ports() + shape_.port_of(lowest(left));
      const unsigned v = shape_.channel_of(lowest(left));
      Input& input = inputs_[port];
      const Flit head = hot.flit_at(port, v, input.channels[v].front);
      const bool upper_half = v >= shape_.virtual_channels() / 2;
      const Lattice::Step step =
          lattice_.route(first_router_ + router, head.destination, input.number, upper_half, head.tie_up);
      requests_end = request_channel<true>(hot, input, v, step, parity, requests_end);
    }
    routing.under_way = 0;
    if (routing.waiting == 0) routing_routers_.remove(router);
  }
  channel_requests_[parity].open_end() = requests_end;
}

/// Returns the end of the list of outputs with a request for a channel.
template <typename Capacity>
template <bool halved>
std::uint32_t* Tile<Capacity>::request_channel(const HotState& hot, Input& input, unsigned v, Lattice::Step step,
                                               unsigned parity, std::uint32_t* requests_end) {
  input.channels[v].output = static_cast<std::uint8_t>(step.output);
  const std::uint32_t port = input.router_port + step.output;
  Output& output = hot.outputs[port];
  const unsigned member = input.first_member + v;
  Set& requests = output.channel_requests[parity];
  *requests_end = port;
  requests_end += requests == 0 ? 1 : 0;
  requests |= bit<Set>(member);
  if constexpr (halved) output.upper = (output.upper & ~bit<Set>(member)) | (Set{step.upper_half} << member);
  return requests_end;
}

}  // namespace pimsweep::hardware::noc::router
