#include "hardware/noc/router/flows.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <queue>
#include <stdexcept>
#include <utility>

#include "hardware/noc/router/router_network.h"
#include "hardware/noc/router/traffic_estimate.h"

namespace pimsweep::hardware::noc::router {

namespace {

std::uint64_t flits_of(const Transfer& transfer, const PacketFormat& format) {
  return (transfer.bytes + format.flit_bytes - 1) / format.flit_bytes;
}

void check(const Lattice& lattice, const PacketFormat& format, const std::vector<Transfer>& transfers) {
  if (format.flit_bytes < 1 || format.max_flits < 1) {
    throw std::invalid_argument(fmt::format("a flit has {} bytes and a packet {} flits, at least 1 each are allowed",
                                            format.flit_bytes, format.max_flits));
  }
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const Transfer& transfer = transfers[i];
    if (std::max(transfer.source, transfer.destination) >= lattice.nodes()) {
      throw std::invalid_argument(fmt::format("transfer {} goes from node {} to node {}, nodes are 0 to {}", i,
                                              transfer.source, transfer.destination, lattice.nodes() - 1));
    }
    for (const std::uint32_t before : transfer.after) {
      if (before < transfers.size()) continue;
      throw std::invalid_argument(
          fmt::format("transfer {} comes after transfer {}, transfers are 0 to {}", i, before, transfers.size() - 1));
    }
  }
}

/// Which transfers can begin when.
class Order {
 public:
  explicit Order(const std::vector<Transfer>& transfers)
      : transfers_(transfers), missing_(transfers.size()), followers_(transfers.size()) {
    for (std::uint32_t i = 0; i < transfers.size(); ++i) {
      missing_[i] = transfers[i].after.size();
      for (const std::uint32_t before : transfers[i].after) followers_[before].push_back(i);
      if (missing_[i] == 0) waiting_.emplace(transfers[i].start, i);
    }
  }

  bool done() const { return ended_ == transfers_.size(); }
  /// Of those whose predecessors have ended.
  bool any_waiting() const { return !waiting_.empty(); }
  std::uint64_t next_time() const { return waiting_.top().first; }
  std::uint32_t take_next() {
    const std::uint32_t next = waiting_.top().second;
    waiting_.pop();
    return next;
  }
  void end(std::uint32_t transfer, std::uint64_t time) {
    ++ended_;
    for (const std::uint32_t follower : followers_[transfer]) {
      if (--missing_[follower] == 0) waiting_.emplace(std::max(time, transfers_[follower].start), follower);
    }
  }
  [[noreturn]] void throw_cycle() const {
    const auto stuck = std::find_if(missing_.begin(), missing_.end(), [](std::size_t missing) { return missing != 0; });
    throw std::invalid_argument(
        fmt::format("transfer {} comes after itself, by way of others or directly", stuck - missing_.begin()));
  }

 private:
  using Waiting = std::pair<std::uint64_t, std::uint32_t>;

  const std::vector<Transfer>& transfers_;
  std::vector<std::size_t> missing_;
  std::vector<std::vector<std::uint32_t>> followers_;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
  std::size_t ended_ = 0;
};

}  // namespace

FlowsResult simulate_flows(const Lattice& lattice, const RouterSettings& settings, const PacketFormat& format,
                           const std::vector<Transfer>& transfers) {
  check(lattice, format, transfers);
  const std::unique_ptr<RouterNetwork> network = make_router_network(lattice, settings);
  FlowsResult result;
  result.transfers.resize(transfers.size());
  Order order(transfers);
  std::vector<std::uint64_t> to_send(transfers.size());
  std::vector<std::uint64_t> to_arrive(transfers.size());
  std::vector<std::deque<std::uint32_t>> queues(lattice.nodes());
  std::vector<char> free(lattice.nodes(), 1);

  const auto enqueue = [&](std::uint32_t number) {
    std::deque<std::uint32_t>& queue = queues[transfers[number].source];
    const auto later = [&](std::uint32_t a, std::uint32_t b) { return transfers[a].rank < transfers[b].rank; };
    queue.insert(std::upper_bound(queue.begin(), queue.end(), number, later), number);
  };
  const auto send_next = [&](std::uint32_t node) {
    if (free[node] == 0 || queues[node].empty()) return;
    const std::uint32_t number = queues[node].front();
    Packet packet;
    packet.source = node;
    packet.destination = transfers[number].destination;
    packet.flits = static_cast<std::uint32_t>(std::min<std::uint64_t>(format.max_flits, to_send[number]));
    packet.tag = number;
    packet.created = network->time();
    // Ties go up and down in turn.
    packet.tie_up = (to_send[number] / format.max_flits) % 2 == 0 ? 0U : ~0U;
    to_send[number] -= packet.flits;
    const bool done = to_send[number] == 0;
    if (done || format.in_turn) queues[node].pop_front();
    if (!done && format.in_turn) enqueue(number);
    free[node] = 0;
    network->send(packet);
  };
  const auto end = [&](std::uint32_t number) {
    result.transfers[number].end = network->time();
    result.makespan = std::max(result.makespan, network->time());
    order.end(number, network->time());
  };

  while (!order.done()) {
    if (network->empty()) {
      if (!order.any_waiting()) order.throw_cycle();
      network->wait_until(std::max(network->time(), order.next_time()));
    }
    network->begin_cycle();
    for (const Packet& packet : network->delivered()) {
      to_arrive[packet.tag] -= packet.flits;
      if (to_arrive[packet.tag] == 0) end(packet.tag);
    }
    for (const std::uint32_t node : network->freed_sources()) {
      free[node] = 1;
      send_next(node);
    }
    while (order.any_waiting() && order.next_time() <= network->time()) {
      const std::uint32_t number = order.take_next();
      result.transfers[number].begin = network->time();
      to_send[number] = to_arrive[number] = flits_of(transfers[number], format);
      if (to_send[number] == 0) {
        end(number);
        continue;
      }
      enqueue(number);
      send_next(transfers[number].source);
    }
    network->finish_cycle();
  }
  result.flit_hops = network->flit_hops();
  return result;
}

FlowsResult estimate_flows(const Lattice& lattice, const RouterSettings& settings, const PacketFormat& format,
                           const std::vector<Transfer>& transfers) {
  check(lattice, format, transfers);
  FlowsResult result;
  result.transfers.resize(transfers.size());
  std::vector<std::uint64_t> carried(std::size_t{lattice.routers()} * lattice.ports());
  Order order(transfers);
  while (!order.done()) {
    if (!order.any_waiting()) order.throw_cycle();
    FlowsResult::Times times;
    times.begin = order.next_time();
    const std::uint32_t number = order.take_next();
    const Transfer& transfer = transfers[number];
    const std::uint64_t flits = flits_of(transfer, format);
    times.end = times.begin;
    if (flits != 0) {
      const unsigned hops = lattice.hops(transfer.source, transfer.destination);
      const auto first = static_cast<unsigned>(std::min<std::uint64_t>(format.max_flits, flits));
      times.end += static_cast<std::uint64_t>(zero_load_latency(settings, hops, first)) + (flits - first);
      result.flit_hops += flits * hops;
      lattice.walk(transfer.source, transfer.destination, 0, [&](unsigned router, unsigned, Lattice::Step step) {
        carried[std::size_t{router} * lattice.ports() + step.output] += flits;
      });
    }
    result.transfers[number] = times;
    result.makespan = std::max(result.makespan, times.end);
    order.end(number, times.end);
  }
  for (const std::uint64_t flits : carried) result.makespan = std::max(result.makespan, flits);
  return result;
}

}  // namespace pimsweep::hardware::noc::router
