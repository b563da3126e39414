#include "systems/pimflow/pipeline.h"

#include <algorithm>

#include "base/downward.h"

namespace pimsweep::systems::pimflow {

namespace {

/// Copies without the memory optimizer: the first input is sliced, inputs of larger kernels are concatenated and
/// padded, and the last output is concatenated.
hardware::gpu::KernelCost copies(const Costs& costs, const Network& network, const std::vector<std::size_t>& nodes) {
  hardware::gpu::KernelCost cost;
  const bool optimized = costs.machine().memory_optimizer;
  if (optimized && network[nodes.front()].images == 1) return cost;
  cost.then(costs.kernels().copy(network[nodes.front()].input_elements()));
  for (const std::size_t node : nodes) {
    if (network[node].window.kernel.height == 1) continue;
    if (node != nodes.front()) cost.then(costs.kernels().copy(network[node].input_elements()));
    if (!optimized) cost.then(costs.kernels().copy(network[node].input_elements()));
  }
  cost.then(costs.kernels().copy(network[nodes.back()].output_elements()));
  return cost;
}

}  // namespace

std::vector<Pipeline> find_pipelines(const Network& network, const Costs& costs) {
  std::vector<Pipeline> found;
  const auto on_pim = [&](const Node& node) { return node.pointwise() && costs.offloads(node); };
  for (std::size_t i = 0; i < network.size(); ++i) {
    if (!network[i].follows) continue;
    const std::size_t before = *network[i].follows;
    if (on_pim(network[before]) && network[i].kind == NodeKind::depthwise) {
      found.push_back({"1x1-DW", {before, i}, 0, {}, 0, false});
    }
    if (network[before].kind != NodeKind::depthwise || !on_pim(network[i])) continue;
    found.push_back({"DW-1x1", {before, i}, 0, {}, 0, false});
    const std::optional<std::size_t> first = network[before].follows;
    if (first && on_pim(network[*first])) found.push_back({"1x1-DW-1x1", {*first, before, i}, 0, {}, 0, false});
  }
  return found;
}

std::vector<std::vector<std::int64_t>> stage_rows(const Network& network, const std::vector<std::size_t>& nodes,
                                                  std::int64_t stages) {
  std::vector<std::vector<std::int64_t>> rows(nodes.size(),
                                              std::vector<std::int64_t>(static_cast<std::size_t>(stages)));
  std::vector<std::int64_t> done(nodes.size(), 0);
  for (std::int64_t stage = 0; stage < stages; ++stage) {
    std::int64_t until = (network[nodes.back()].rows() * (stage + 1) + stages - 1) / stages;
    for (const std::size_t j : downward(nodes.size())) {
      const Node& node = network[nodes[j]];
      // Rows that a stride or a missing pad never reads are computed as well, in the last stage.
      if (stage + 1 == stages) until = node.rows();
      until = std::max(until, done[j]);
      rows[j][static_cast<std::size_t>(stage)] = until - done[j];
      done[j] = until;
      until = node.input_rows(until);
    }
  }
  return rows;
}

void visit_pipeline_steps(Costs& costs, const Network& network, const std::vector<std::size_t>& nodes,
                          std::int64_t stages, const PipelineVisitor& visit) {
  const std::vector<std::vector<std::int64_t>> rows = stage_rows(network, nodes, stages);
  const auto depth = static_cast<std::int64_t>(nodes.size());
  for (std::int64_t step = 0; step < stages + depth - 1; ++step) {
    hardware::gpu::KernelCost kernels;
    PimCost parts;
    const std::int64_t first = std::max<std::int64_t>(0, step - stages + 1);
    const std::int64_t last = std::min(step, depth - 1);
    for (std::int64_t j = first; j <= last; ++j) {
      const Node& node = network[nodes[static_cast<std::size_t>(j)]];
      const std::int64_t now = rows[static_cast<std::size_t>(j)][static_cast<std::size_t>(step - j)];
      if (node.kind == NodeKind::depthwise) {
        kernels.then(costs.gpu(node, now));
      } else {
        parts += costs.pim(node, now);
      }
    }
    const std::size_t count = static_cast<std::size_t>(last - first + 1);
    visit("stages", std::span(nodes).subspan(static_cast<std::size_t>(first), count), kernels, parts);
  }
  visit("copies", nodes, copies(costs, network, nodes), {});
  for (std::size_t j = 0; j < nodes.size(); ++j) {
    visit("activation", std::span(nodes).subspan(j, 1), costs.kernels().activations(network[nodes[j]]), {});
    visit("sum or product", std::span(nodes).subspan(j, 1), costs.kernels().merged(network[nodes[j]], false), {});
  }
}

std::optional<Usage> pipeline_usage(Costs& costs, const Network& network, const std::vector<std::size_t>& nodes,
                                    std::int64_t stages) {
  if (network[nodes.back()].rows() < stages) return std::nullopt;
  Usage usage;
  visit_pipeline_steps(costs, network, nodes, stages,
                       [&](std::string_view, std::span<const std::size_t>, const hardware::gpu::KernelCost& kernels,
                           const PimCost& parts) { usage += costs.together(kernels, parts); });
  return usage;
}

}  // namespace pimsweep::systems::pimflow
