#include "systems/heteropim/runtime/order.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/downward.h"

namespace pimsweep::systems::heteropim::runtime {

namespace {

double fastest(const Task& task, std::uint32_t pairs) {
  if (task.kind == TaskKind::none) return 0;
  double seconds = std::min(task.host, task.programmable);
  if (pairs > 0 && task.pairs > 0) {
    const double phases = std::min(task.phases_on_host, task.phases_on_programmable);
    seconds = std::min(seconds, std::max(task.pair_work / std::min(task.pairs, pairs), task.streaming) + phases);
  }
  return seconds;
}

std::vector<double> upward_ranks(const TaskGraph& graph, std::uint32_t pairs) {
  std::vector<double> rank(graph.size());
  for (const std::uint32_t i : downward(graph.size())) {
    double behind = 0;
    for (const std::uint32_t next : graph.after(i)) behind = std::max(behind, rank[next]);
    rank[i] = behind + fastest(graph.tasks[i], pairs);
  }
  return rank;
}

}  // namespace

std::vector<std::uint32_t> program_order(const TaskGraph& graph) {
  std::vector<std::uint32_t> order(graph.size());
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

std::vector<std::uint32_t> by_upward_rank(const TaskGraph& graph, std::uint32_t pairs) {
  const std::vector<double> rank = upward_ranks(graph, pairs);
  std::vector<std::uint32_t> order = program_order(graph);
  std::ranges::stable_sort(order, std::greater{}, [&](std::uint32_t task) { return rank[task]; });
  return order;
}

double critical_path(const TaskGraph& graph, std::uint32_t pairs) {
  const std::vector<double> rank = upward_ranks(graph, pairs);
  return rank.empty() ? 0 : *std::ranges::max_element(rank);
}

}  // namespace pimsweep::systems::heteropim::runtime
