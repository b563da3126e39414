#include "systems/allspark/placement/interaction_traffic.h"

#include <algorithm>
#include <boost/range/iterator_range.hpp>
#include <cmath>

#include "hardware/integer_math.h"
#include "hardware/noc/router/traffic_estimate.h"

namespace pimsweep::systems::allspark::placement {

namespace {

/// Minimum packets of a transfer in a shortened exchange, as a mean over flits.
constexpr double min_packets = 8;

/// A lattice has at least two nodes a side.
unsigned side_of(const InteractionNetwork& network) {
  return static_cast<unsigned>(std::max<std::int64_t>({2, network.node_rows, network.node_cols}));
}

/// Flits that pass each output of each router, the one to the node included, and each sender.
struct Loads {
  explicit Loads(const hardware::noc::router::Lattice& lattice)
      : outputs(std::size_t{lattice.nodes()} * lattice.ports(), 0), senders(lattice.nodes(), 0) {}

  std::vector<std::int64_t> outputs;
  std::vector<std::int64_t> senders;
};

/// Visits the loads of all that a transfer passes on its route.
template <class Visit>
void walk(const hardware::noc::router::Lattice& lattice, const hardware::noc::router::Transfer& transfer, Loads& loads,
          Visit visit) {
  visit(loads.senders[transfer.source]);
  lattice.walk(transfer.source, transfer.destination, 0,
               [&](unsigned router, unsigned, hardware::noc::router::Lattice::Step step) {
                 visit(loads.outputs[std::size_t{router} * lattice.ports() + step.output]);
               });
}

}  // namespace

InteractionTraffic::InteractionTraffic(const PlacementProblem& problem, const Binding& binding,
                                       const InteractionNetwork& network, InteractionRoute route)
    : network_(network), side_(side_of(network)), lattice_(hardware::noc::router::Topology::mesh, side_, 2) {
  const workload::BranchGraph& graph = problem.transfers;
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) bytes_ += bytes_of(graph[edge].words);
  if (route == InteractionRoute::corner) {
    add_by_corners(problem, binding);
  } else {
    add_directly(problem, binding);
  }
  weigh();
}

void InteractionTraffic::add_by_corners(const PlacementProblem& problem, const Binding& binding) {
  const workload::BranchGraph& graph = problem.transfers;
  const std::size_t branches = problem.branches();
  std::vector<std::int64_t> sent(branches, 0);
  std::vector<std::int64_t> received(branches, 0);
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
    const std::int64_t bytes = bytes_of(graph[edge].words);
    sent[boost::source(edge, graph)] += bytes;
    received[boost::target(edge, graph)] += bytes;
  }
  const auto nodes_of = [&](std::size_t branch) -> const hardware::node_array::SubArray& {
    return problem.slots[binding[branch]].nodes;
  };
  // The transfers that precede the handovers of a branch, and those that precede its scattering.
  std::vector<std::vector<std::uint32_t>> gathered(branches);
  std::vector<std::vector<std::uint32_t>> arrived(branches);
  for (std::size_t branch = 0; branch < branches; ++branch) {
    const hardware::node_array::SubArray& nodes = nodes_of(branch);
    const std::int64_t count = nodes.height * nodes.width;
    const std::int64_t share = hardware::ceil_div(sent[branch], count);
    for (std::int64_t i = 1; i < count && share > 0; ++i) {
      gathered[branch].push_back(add(gather, node_of(nodes, i), node_of(nodes, 0), share, {}));
    }
  }
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
    const std::size_t from = boost::source(edge, graph);
    const std::size_t to = boost::target(edge, graph);
    const std::uint32_t source = node_of(nodes_of(from), 0);
    const std::uint32_t target = node_of(nodes_of(to), 0);
    if (source == target) {
      arrived[to].insert(arrived[to].end(), gathered[from].begin(), gathered[from].end());
    } else {
      arrived[to].push_back(add(handover, source, target, bytes_of(graph[edge].words), gathered[from]));
    }
  }
  for (std::size_t branch = 0; branch < branches; ++branch) {
    const hardware::node_array::SubArray& nodes = nodes_of(branch);
    const std::int64_t count = nodes.height * nodes.width;
    const std::int64_t share = hardware::ceil_div(received[branch], count);
    for (std::int64_t i = 1; i < count && share > 0; ++i) {
      add(scatter, node_of(nodes, 0), node_of(nodes, i), share, arrived[branch]);
    }
  }
}

void InteractionTraffic::add_directly(const PlacementProblem& problem, const Binding& binding) {
  const workload::BranchGraph& graph = problem.transfers;
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
    const hardware::node_array::SubArray& source = problem.slots[binding[boost::source(edge, graph)]].nodes;
    const hardware::node_array::SubArray& target = problem.slots[binding[boost::target(edge, graph)]].nodes;
    const std::int64_t sources = source.height * source.width;
    const std::int64_t targets = target.height * target.width;
    const std::int64_t pieces = std::max(sources, targets);
    const std::int64_t share = hardware::ceil_div(bytes_of(graph[edge].words), pieces);
    for (std::int64_t i = 0; i < pieces; ++i) {
      const std::uint32_t from = node_of(source, i * sources / pieces);
      const std::uint32_t to = node_of(target, i * targets / pieces);
      if (from != to) add(handover, from, to, share, {});
    }
  }
}

std::int64_t InteractionTraffic::bytes_of(std::int64_t words) const {
  return Count::of(std::ceil(static_cast<double>(words) * network_.word_bytes));
}

std::uint32_t InteractionTraffic::node_of(const hardware::node_array::SubArray& nodes, std::int64_t i) const {
  return number_of(nodes.row + i / nodes.width, nodes.col + i % nodes.width);
}

std::uint32_t InteractionTraffic::number_of(std::int64_t row, std::int64_t col) const {
  const unsigned coordinates[] = {static_cast<unsigned>(col), static_cast<unsigned>(row)};
  return lattice_.node(coordinates);
}

std::uint32_t InteractionTraffic::add(Phase phase, std::uint32_t source, std::uint32_t destination, std::int64_t bytes,
                                      const std::vector<std::uint32_t>& after) {
  transfers_.push_back({source, destination, static_cast<std::uint64_t>(bytes), 0, after, phase});
  return static_cast<std::uint32_t>(transfers_.size() - 1);
}

void InteractionTraffic::weigh() {
  Loads bytes(lattice_);
  for (const hardware::noc::router::Transfer& transfer : transfers_) {
    const unsigned routers = lattice_.hops(transfer.source, transfer.destination);
    const std::int64_t byte_hops = static_cast<std::int64_t>(transfer.bytes) * (routers - 1);
    const std::int64_t flits =
        hardware::ceil_div(static_cast<std::int64_t>(transfer.bytes), std::int64_t{network_.format.flit_bytes});
    flits_ += flits;
    squared_flits_ += static_cast<double>(flits) * static_cast<double>(flits);
    flit_hops_ += flits * routers;
    byte_hops_ += byte_hops;
    if (transfer.rank == handover) handover_byte_hops_ += byte_hops;
    walk(lattice_, transfer, bytes, [&](std::int64_t& load) { load += static_cast<std::int64_t>(transfer.bytes); });
  }
  for (std::size_t i = 0; i < bytes.outputs.size(); ++i) {
    const bool link = i % lattice_.ports() != lattice_.node_port();
    if (link) busiest_link_bytes_ = std::max(busiest_link_bytes_, bytes.outputs[i]);
  }
  estimated_cycles_ = estimate(transfers_);
}

std::int64_t InteractionTraffic::estimate(const std::vector<hardware::noc::router::Transfer>& transfers) const {
  if (transfers.empty()) return 0;
  std::vector<Loads> phases(3, Loads(lattice_));
  for (const hardware::noc::router::Transfer& transfer : transfers) {
    const auto flits =
        hardware::ceil_div(static_cast<std::int64_t>(transfer.bytes), std::int64_t{network_.format.flit_bytes});
    walk(lattice_, transfer, phases[transfer.rank], [&](std::int64_t& load) { load += flits; });
  }
  std::int64_t cycles = 0;
  std::vector<std::int64_t> ends(transfers.size(), 0);
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const hardware::noc::router::Transfer& transfer = transfers[i];
    std::int64_t busiest = 0;
    walk(lattice_, transfer, phases[transfer.rank], [&](std::int64_t load) { busiest = std::max(busiest, load); });
    for (const std::uint32_t before : transfer.after) ends[i] = std::max(ends[i], ends[before]);
    ends[i] += busiest - 1 +
               std::llround(hardware::noc::router::zero_load_latency(
                   network_.router, lattice_.hops(transfer.source, transfer.destination), 1));
    cycles = std::max(cycles, ends[i]);
  }
  const auto whole = [&](std::vector<std::int64_t> Loads::*of) {
    for (std::size_t i = 0; i < (phases[0].*of).size(); ++i) {
      cycles = std::max(cycles, (phases[0].*of)[i] + (phases[1].*of)[i] + (phases[2].*of)[i]);
    }
  };
  whole(&Loads::outputs);
  whole(&Loads::senders);
  return cycles;
}

std::int64_t InteractionTraffic::simulated_cycles(double max_flit_hops) const {
  const auto simulated = [&](const std::vector<hardware::noc::router::Transfer>& transfers) {
    return static_cast<std::int64_t>(
        hardware::noc::router::simulate_flows(lattice_, network_.router, network_.format, transfers).makespan);
  };
  if (static_cast<double>(flit_hops_) <= max_flit_hops) return simulated(transfers_);
  const double packets = squared_flits_ / static_cast<double>(flits_) / network_.format.max_flits;
  const double share = std::max(max_flit_hops / static_cast<double>(flit_hops_), min_packets / packets);
  if (share >= 1) return simulated(transfers_);
  const std::vector<hardware::noc::router::Transfer> part = shortened(share);
  return std::llround(static_cast<double>(simulated(part)) * static_cast<double>(estimated_cycles_) /
                      static_cast<double>(estimate(part)));
}

std::vector<hardware::noc::router::Transfer> InteractionTraffic::shortened(double share) const {
  std::vector<hardware::noc::router::Transfer> transfers = transfers_;
  const std::uint64_t smallest = network_.format.flit_bytes;
  for (hardware::noc::router::Transfer& transfer : transfers) {
    const auto part = static_cast<std::uint64_t>(std::llround(share * static_cast<double>(transfer.bytes)));
    transfer.bytes = std::max(std::min(smallest, transfer.bytes), part);
  }
  return transfers;
}

}  // namespace pimsweep::systems::allspark::placement
