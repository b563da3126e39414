// The executor keeps its working memory: a run like the one before takes nothing from the heap.

#include <catch2/catch.hpp>

#include "systems/heteropim/counted_heap.h"
#include "systems/heteropim/runtime/executor.h"
#include "systems/heteropim/runtime/order.h"

using namespace pimsweep::systems::heteropim::runtime;
using namespace pimsweep;

TEST_CASE("A run allocates nothing after one like it") {
  TaskGraph graph;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t i = 0; i < 200; ++i) {
    const auto kind = static_cast<TaskKind>(i % 4);
    Task task{.kind = kind, .host = 1, .host_movement = 0.3, .programmable = 2, .host_streaming = 0.2};
    if (kind == TaskKind::fixed || kind == TaskKind::recursive) {
      task.pairs = 40;
      task.pair_work = 60;
      task.streaming = 0.8;
      task.phases_on_host = task.phases_on_programmable = 0.2;
    }
    graph.tasks.push_back(task);
    if (i >= 7) edges.emplace_back(i - 7, i);
  }
  graph.connect(edges, {});
  const std::vector<std::uint8_t> candidate(graph.size(), 1);
  const auto order = program_order(graph);
  const Stream stream{.graph = &graph, .steps = 3, .candidate = candidate, .order = order};
  const std::uint64_t first = heap_allocations();
  Executor executor;
  Execution execution;
  for (const Assignment assignment : {Assignment::principles, Assignment::earliest_end}) {
    for (const bool pipeline : {false, true}) {
      const Runtime runtime{.pairs = 100,
                            .programmable = 1,
                            .operation_pipeline = pipeline,
                            .assignment = assignment,
                            .host_launch = 0.01,
                            .recursive_call = 0.001};
      executor.run(runtime, std::span(&stream, 1), true, execution);
      // The counter counts: the first run needed room.
      CHECK(heap_allocations() > first);
      const std::uint64_t before = heap_allocations();
      executor.run(runtime, std::span(&stream, 1), true, execution);
      const std::uint64_t during = heap_allocations() - before;
      CHECK(during == 0);
      CHECK(execution.timeline.size() > graph.size());
    }
  }
}
