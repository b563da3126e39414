#include "systems/allspark/placement/placement_problem.h"

#include <fmt/format.h>

#include <boost/range/iterator_range.hpp>
#include <map>
#include <stdexcept>
#include <utility>

namespace pimsweep::systems::allspark::placement {

namespace {

/// Sums over all edges.
struct Sums {
  std::int64_t edges = 0;
  std::int64_t hops = 0;
  std::int64_t words = 0;
  std::int64_t word_hops = 0;
};

Sums sums_of(const PlacementProblem& problem, const Binding& binding) {
  const workload::BranchGraph& graph = problem.transfers;
  Sums sums;
  for (const auto& edge : boost::make_iterator_range(boost::edges(graph))) {
    const std::int64_t hops = distance(problem.slots[binding[boost::source(edge, graph)]],
                                       problem.slots[binding[boost::target(edge, graph)]]);
    const std::int64_t words = graph[edge].words;
    ++sums.edges;
    sums.hops += hops;
    sums.words += words;
    sums.word_hops += words * hops;
  }
  return sums;
}

double mean(std::int64_t sum, std::int64_t count) {
  return count == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(count);
}

void list_partners(PlacementProblem& problem) {
  const workload::BranchGraph& graph = problem.transfers;
  std::map<std::size_t, Partner> partners;
  const auto note = [&](std::size_t branch, std::int64_t words) {
    Partner& partner = partners[branch];
    partner.branch = branch;
    partner.words += words;
    ++partner.dependences;
  };
  problem.partner_begin.push_back(0);
  for (std::size_t branch = 0; branch < problem.branches(); ++branch) {
    partners.clear();
    for (const auto& edge : boost::make_iterator_range(boost::out_edges(branch, graph))) {
      note(boost::target(edge, graph), graph[edge].words);
    }
    for (const auto& edge : boost::make_iterator_range(boost::in_edges(branch, graph))) {
      note(boost::source(edge, graph), graph[edge].words);
    }
    for (const auto& [number, partner] : partners) problem.partners.push_back(partner);
    problem.partner_begin.push_back(problem.partners.size());
  }
}

}  // namespace

PlacementProblem make_problem(const workload::BranchGraph& transfers, const std::vector<LayerShape>& layers,
                              std::int64_t rows, std::int64_t cols) {
  PlacementProblem problem;
  problem.transfers = transfers;
  std::int64_t placed = 0;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    const LayerShape& shape = layers[layer];
    problem.layer_begin.push_back(problem.slots.size());
    const std::vector<hardware::node_array::SubArray> layout =
        hardware::node_array::structured_layout(rows, cols, shape.height, shape.width);
    if (shape.branches > static_cast<std::int64_t>(layout.size())) {
      throw std::invalid_argument(fmt::format("placement: layer {} takes {} branches, {} sub-arrays of {} x {} fit",
                                              layer + 1, shape.branches, layout.size(), shape.height, shape.width));
    }
    for (const hardware::node_array::SubArray& nodes : layout) problem.slots.push_back({layer, nodes});
    problem.layer_branches.push_back(shape.branches);
    placed += shape.branches;
  }
  problem.layer_begin.push_back(problem.slots.size());
  if (placed != static_cast<std::int64_t>(problem.branches())) {
    throw std::invalid_argument(
        fmt::format("placement: the layers take {} branches, there are {}", placed, problem.branches()));
  }
  list_partners(problem);
  return problem;
}

std::int64_t word_hops(const PlacementProblem& problem, const Binding& binding) {
  return sums_of(problem, binding).word_hops;
}

double hops_of_word(const PlacementProblem& problem, const Binding& binding) {
  const Sums sums = sums_of(problem, binding);
  return mean(sums.word_hops, sums.words);
}

double hops_of_dependence(const PlacementProblem& problem, const Binding& binding) {
  const Sums sums = sums_of(problem, binding);
  return mean(sums.hops, sums.edges);
}

}  // namespace pimsweep::systems::allspark::placement
