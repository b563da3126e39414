#include "systems/heteropim/runtime/task_graph.h"

#include <numeric>

namespace pimsweep::systems::heteropim::runtime {

namespace {

using Edges = std::span<const std::pair<std::uint32_t, std::uint32_t>>;

void compress(std::uint32_t size, Edges edges, std::vector<std::uint32_t>& begin, std::vector<std::uint32_t>& to,
              std::vector<std::uint32_t>& waits_for) {
  begin.assign(size + 1, 0);
  waits_for.assign(size, 0);
  for (const auto& [source, target] : edges) {
    ++begin[source + 1];
    ++waits_for[target];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  to.resize(edges.size());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (const auto& [source, target] : edges) to[next[source]++] = target;
}

}  // namespace

void TaskGraph::connect(Edges within_step, Edges into_next_step) {
  compress(size(), within_step, successor_begin, successors, waits_for);
  compress(size(), into_next_step, carried_begin, carried, carried_waits_for);
}

}  // namespace pimsweep::systems::heteropim::runtime
