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

/// The order in which transfers can start.
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
  /// True if a transfer whose predecessors have ended has not been taken yet.
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

/// Transfers on routers simulated cycle by cycle.
class FlowSimulation {
 public:
  FlowSimulation(const Lattice& lattice, const RouterSettings& settings, const PacketFormat& format,
                 const std::vector<Transfer>& transfers)
      : format_(format),
        transfers_(transfers),
        network_(make_router_network(lattice, settings)),
        order_(transfers),
        to_send_(transfers.size()),
        to_arrive_(transfers.size()),
        queues_(lattice.nodes()),
        free_(lattice.nodes(), 1) {
    result_.transfers.resize(transfers.size());
  }

  FlowsResult run() {
    while (!order_.done()) {
      if (network_->empty()) {
        if (!order_.any_waiting()) order_.throw_cycle();
        network_->wait_until(std::max(network_->time(), order_.next_time()));
      }
      network_->begin_cycle();
      for (const Packet& packet : network_->delivered()) {
        to_arrive_[packet.tag] -= packet.flits;
        if (to_arrive_[packet.tag] == 0) end(packet.tag);
      }
      for (const std::uint32_t node : network_->freed_sources()) {
        free_[node] = 1;
        send_next(node);
      }
      begin_transfers();
      network_->finish_cycle();
    }
    result_.flit_hops = network_->flit_hops();
    return std::move(result_);
  }

 private:
  void begin_transfers() {
    while (order_.any_waiting() && order_.next_time() <= network_->time()) {
      const std::uint32_t number = order_.take_next();
      result_.transfers[number].begin = network_->time();
      to_send_[number] = to_arrive_[number] = flits_of(transfers_[number], format_);
      if (to_send_[number] == 0) {
        end(number);
        continue;
      }
      enqueue(number);
      send_next(transfers_[number].source);
    }
  }

  void enqueue(std::uint32_t number) {
    std::deque<std::uint32_t>& queue = queues_[transfers_[number].source];
    const auto later = [&](std::uint32_t a, std::uint32_t b) { return transfers_[a].rank < transfers_[b].rank; };
    queue.insert(std::upper_bound(queue.begin(), queue.end(), number, later), number);
  }

  void send_next(std::uint32_t node) {
    if (free_[node] == 0 || queues_[node].empty()) return;
    const std::uint32_t number = queues_[node].front();
    Packet packet;
    packet.source = node;
    packet.destination = transfers_[number].destination;
    packet.flits = static_cast<std::uint32_t>(std::min<std::uint64_t>(format_.max_flits, to_send_[number]));
    packet.tag = number;
    packet.created = network_->time();
    // Ties alternate between up and down.
    packet.tie_up = (to_send_[number] / format_.max_flits) % 2 == 0 ? 0U : ~0U;
    to_send_[number] -= packet.flits;
    const bool done = to_send_[number] == 0;
    if (done || format_.in_turn) queues_[node].pop_front();
    if (!done && format_.in_turn) enqueue(number);
    free_[node] = 0;
    network_->send(packet);
  }

  void end(std::uint32_t number) {
    result_.transfers[number].end = network_->time();
    result_.makespan = std::max(result_.makespan, network_->time());
    order_.end(number, network_->time());
  }

  const PacketFormat& format_;
  const std::vector<Transfer>& transfers_;
  std::unique_ptr<RouterNetwork> network_;
  Order order_;
  /// Flits of each transfer still to be sent, and still to arrive.
  std::vector<std::uint64_t> to_send_;
  std::vector<std::uint64_t> to_arrive_;
  /// Started transfers of each node, by rank; and nodes whose source is free.
  std::vector<std::deque<std::uint32_t>> queues_;
  std::vector<char> free_;
  FlowsResult result_;
};

}  // namespace

FlowsResult simulate_flows(const Lattice& lattice, const RouterSettings& settings, const PacketFormat& format,
                           const std::vector<Transfer>& transfers) {
  check(lattice, format, transfers);
  return FlowSimulation(lattice, settings, format, transfers).run();
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
