#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <tuple>

#include "systems/heteropim/runtime/executor.h"
#include "systems/heteropim/runtime/order.h"
#include "systems/heteropim/runtime/work_bound.h"

using namespace pimsweep::systems::heteropim::runtime;
using namespace pimsweep;

namespace {

/// A random step: tasks of every kind, sparse dependencies, updates at its end that the start of the next step waits
/// for.
struct RandomStep {
  TaskGraph graph;
  std::vector<std::uint8_t> candidate;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> within;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> carried;
};

RandomStep random_step(std::mt19937& random, std::uint32_t pairs) {
  const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
  const auto whole = [&](std::uint32_t low, std::uint32_t high) {
    return std::uniform_int_distribution<std::uint32_t>(low, high)(random);
  };
  RandomStep step;
  const std::uint32_t size = whole(1, 40);
  for (std::uint32_t i = 0; i < size; ++i) {
    Task task;
    task.kind = static_cast<TaskKind>(whole(0, 3));
    if (task.kind != TaskKind::none) {
      task.host = between(0.1, 2);
      task.host_movement = task.host * between(0, 1);
      task.programmable = between(0.1, 8);
      task.host_streaming = task.host * between(0, 0.4);
      task.programmable_streaming = task.programmable * between(0, 0.2);
    }
    if (task.kind == TaskKind::fixed || task.kind == TaskKind::recursive) {
      task.pairs = whole(1, pairs);
      task.pair_work = between(0.1, 2) * pairs;
      task.streaming = between(0, 1);
    }
    if (task.kind == TaskKind::recursive) {
      task.phases_on_host = between(0.01, 0.2);
      task.phases_on_programmable = between(0.01, 0.4);
      task.phase_streaming = between(0, 0.2) * std::min(task.phases_on_host, task.phases_on_programmable);
    }
    step.graph.tasks.push_back(task);
    step.candidate.push_back(whole(0, 3) > 0 ? 1 : 0);
    for (std::uint32_t before = 0; before < i; ++before) {
      if (whole(0, 7) == 0) step.within.emplace_back(before, i);
    }
  }
  for (std::uint32_t i = 0; i < size / 4; ++i) step.carried.emplace_back(whole(0, size - 1), whole(0, size - 1));
  step.graph.connect(step.within, step.carried);
  return step;
}

Runtime random_runtime(std::mt19937& random, std::uint32_t pairs) {
  const auto chance = [&] { return std::uniform_int_distribution(0, 1)(random) == 1; };
  Runtime runtime;
  const bool has_pairs = std::uniform_int_distribution(0, 3)(random) > 0;
  runtime.pairs = has_pairs ? pairs : 0;
  runtime.programmable = std::uniform_int_distribution<std::uint32_t>(0, 3)(random);
  runtime.serial = std::uniform_int_distribution(0, 3)(random) == 0;
  runtime.recursive_kernels = chance();
  runtime.operation_pipeline = chance();
  runtime.fallback = static_cast<Fallback>(std::uniform_int_distribution(0, 2)(random));
  runtime.idle_pim_helps = chance();
  runtime.assignment = chance() ? Assignment::principles : Assignment::earliest_end;
  runtime.host_launch = 0.02;
  runtime.recursive_call = 0.005;
  return runtime;
}

using Instance = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;

/// Start and end of every operation, and its time on each device (pairs: units x time).
struct Trace {
  double start = std::numeric_limits<double>::infinity();
  double end = -std::numeric_limits<double>::infinity();
  double worked[devices] = {};
};

std::map<Instance, Trace> traces(const Execution& execution) {
  std::map<Instance, Trace> all;
  for (const Segment& segment : execution.timeline) {
    Trace& trace = all[{segment.stream, segment.step, segment.task}];
    trace.start = std::min(trace.start, segment.start);
    trace.end = std::max(trace.end, segment.end);
    trace.worked[static_cast<std::size_t>(segment.device)] += segment.units * (segment.end - segment.start);
  }
  return all;
}

constexpr double slack = 1e-9;

void check_capacity(const Runtime& runtime, const Execution& execution) {
  const std::uint32_t capacity[] = {1, runtime.programmable, runtime.pairs};
  for (std::size_t device = 0; device < devices; ++device) {
    // Units change hands at the same instant: what ends is counted first.
    std::vector<std::pair<double, int>> changes;
    for (const Segment& segment : execution.timeline) {
      if (static_cast<std::size_t>(segment.device) != device || segment.end - segment.start < slack) continue;
      changes.emplace_back(segment.start + slack / 4, static_cast<int>(segment.units));
      changes.emplace_back(segment.end - slack / 4, -static_cast<int>(segment.units));
    }
    std::ranges::sort(changes);
    int used = 0;
    for (const auto& [time, units] : changes) {
      used += units;
      REQUIRE(used <= static_cast<int>(capacity[device]));
    }
  }
}

void check_order(const RandomStep& step, const std::map<Instance, Trace>& traces, std::uint32_t steps) {
  // Tasks without work leave no trace; what waits for them waits for what they wait for.
  const auto size = step.graph.size();
  std::vector<double> end(std::size_t{steps} * size, 0);
  for (std::uint32_t s = 0; s < steps; ++s) {
    for (std::uint32_t task = 0; task < size; ++task) {
      double earliest = 0;
      for (const auto& [before, after] : step.within) {
        if (after == task) earliest = std::max(earliest, end[s * size + before]);
      }
      for (const auto& [before, after] : step.carried) {
        if (after == task && s > 0) earliest = std::max(earliest, end[(s - 1) * size + before]);
      }
      const auto trace = traces.find({0, s, task});
      if (step.graph.tasks[task].kind == TaskKind::none) {
        REQUIRE(trace == traces.end());
        end[s * size + task] = earliest;
        continue;
      }
      REQUIRE(trace != traces.end());
      REQUIRE(trace->second.start >= earliest - slack);
      end[s * size + task] = trace->second.end;
    }
  }
}

/// Every operation was worked on for as long as its placement says; sums agree with the totals.
void check_work(const Runtime& runtime, const RandomStep& step, const Execution& execution, std::uint32_t steps) {
  const auto all = traces(execution);
  double sums[devices] = {};
  double streamed = 0;
  for (std::uint32_t s = 0; s < steps; ++s) {
    for (std::uint32_t i = 0; i < step.graph.size(); ++i) {
      const Task& task = step.graph.tasks[i];
      if (task.kind == TaskKind::none) continue;
      const Trace& trace = all.at({0, s, i});
      for (std::size_t device = 0; device < devices; ++device) sums[device] += trace.worked[device];
      const double host = trace.worked[0];
      const double near = trace.worked[1];
      const double on_pairs = trace.worked[2];
      const Placement placement = execution.placements[s * step.graph.size() + i];
      if (placement == Device::host) {
        REQUIRE(host == Approx(task.host));
        REQUIRE(near + on_pairs == 0);
        streamed += task.host_streaming;
      } else if (placement == Device::programmable) {
        REQUIRE(near == Approx(task.programmable + runtime.host_launch));
        REQUIRE(host + on_pairs == 0);
        streamed += task.programmable_streaming;
      } else {
        // Units that wait for memory or for the launch are held, too.
        REQUIRE(on_pairs >= task.pair_work * (1 - slack));
        streamed += task.streaming + task.phase_streaming;
        const bool phases_near = runtime.recursive_kernels && runtime.programmable > 0;
        if (task.kind == TaskKind::fixed) {
          REQUIRE(host + near == 0);
        } else if (phases_near) {
          REQUIRE(near == Approx(task.phases_on_programmable + runtime.host_launch));
        } else {
          REQUIRE(host == Approx(task.phases_on_host));
        }
      }
    }
  }
  CHECK(sums[0] == Approx(execution.busy[0]).margin(slack));
  CHECK(sums[1] == Approx(execution.busy[1]).margin(slack));
  // Held while launched, but not at work.
  CHECK(sums[2] >= execution.busy[2] - slack);
  // No device can work off more than it has.
  CHECK(execution.makespan >= execution.busy[0] - slack);
  CHECK(execution.makespan * runtime.programmable >= execution.busy[1] - slack);
  CHECK(execution.makespan * runtime.pairs >= execution.busy[2] - slack);
  CHECK(execution.makespan >= streamed - slack);
}

void make_faster(TaskGraph& graph, double factor) {
  for (Task& task : graph.tasks) {
    for (double* seconds :
         {&task.host, &task.host_movement, &task.programmable, &task.pair_work, &task.streaming, &task.phases_on_host,
          &task.phases_on_programmable, &task.host_streaming, &task.programmable_streaming, &task.phase_streaming}) {
      *seconds /= factor;
    }
  }
}

}  // namespace

TEST_CASE("Laws of every execution") {
  std::mt19937 random(20181020);
  Executor executor;
  Execution execution;
  for (int round = 0; round < 400; ++round) {
    const std::uint32_t pairs = std::uniform_int_distribution<std::uint32_t>(1, 50)(random);
    RandomStep step = random_step(random, pairs);
    const Runtime runtime = random_runtime(random, pairs);
    const std::uint32_t steps = std::uniform_int_distribution<std::uint32_t>(1, 4)(random);
    const auto order = by_upward_rank(step.graph, runtime.pairs);
    const Stream stream{.graph = &step.graph, .steps = steps, .candidate = step.candidate, .order = order};
    executor.run(runtime, std::span(&stream, 1), true, execution);
    INFO("round " << round);
    check_capacity(runtime, execution);
    check_order(step, traces(execution), steps);
    check_work(runtime, step, execution, steps);
    CHECK(execution.makespan >= critical_path(step.graph, runtime.pairs) - slack);
    CHECK(execution.makespan >= steps * work_bound(step.graph, runtime.pairs, runtime.programmable) - slack);
    CHECK(execution.operation + execution.movement + execution.synchronization ==
          Approx(execution.makespan).margin(slack));
    CHECK(execution.step_ends.back() <= execution.makespan + slack);
    if (runtime.serial) CHECK(execution.makespan >= execution.busy[0] + execution.busy[1] - slack);

    // Everything twice as fast, launches too: half the time, for any rules.
    const double before = execution.makespan;
    make_faster(step.graph, 2);
    Runtime faster = runtime;
    faster.host_launch /= 2;
    faster.recursive_call /= 2;
    executor.run(faster, std::span(&stream, 1), false, execution);
    CHECK(execution.makespan == Approx(before / 2));
  }
}

TEST_CASE("Faster PIM never slows down a machine that runs one operation at a time") {
  std::mt19937 random(7);
  Executor executor;
  Execution slow;
  Execution fast;
  for (int round = 0; round < 100; ++round) {
    RandomStep step = random_step(random, 20);
    const auto order = program_order(step.graph);
    const Stream stream{.graph = &step.graph, .steps = 2, .candidate = step.candidate, .order = order};
    const Runtime runtime{.pairs = 20, .serial = true, .recursive_kernels = false, .operation_pipeline = false};
    executor.run(runtime, std::span(&stream, 1), false, slow);
    for (Task& task : step.graph.tasks) {
      task.pair_work /= 1.5;
      task.streaming /= 1.5;
    }
    executor.run(runtime, std::span(&stream, 1), false, fast);
    REQUIRE(fast.makespan <= slow.makespan + slack);
  }
}

TEST_CASE("An operation that leaves pairs idle shares them with the next step's, and hands its own over at its end") {
  // Two steps of one operation for 121 of 222 pairs, 1 s each on its pairs.
  TaskGraph graph;
  graph.tasks.push_back({.kind = TaskKind::fixed, .pairs = 121, .host = 1e3, .programmable = 1e3, .pair_work = 121});
  graph.connect({}, {});
  const std::vector<std::uint8_t> candidate{1};
  const std::vector<std::uint32_t> order{0};
  const Stream stream{.graph = &graph, .steps = 2, .candidate = candidate, .order = order};
  Runtime runtime{.pairs = 222, .fallback = Fallback::never};
  Executor executor;
  Execution execution;
  runtime.operation_pipeline = false;
  executor.run(runtime, std::span(&stream, 1), true, execution);
  CHECK(execution.makespan == Approx(2));
  CHECK(execution.busy[2] / (222 * execution.makespan) == Approx(121.0 / 222));
  runtime.operation_pipeline = true;
  executor.run(runtime, std::span(&stream, 1), true, execution);
  // The second has 101 pairs in the first second, and 121 until its end.
  CHECK(execution.makespan == Approx(1 + 20.0 / 121));
  REQUIRE(execution.timeline.size() == 3);
  CHECK(execution.timeline[1].units == 101);
  CHECK(execution.timeline[2].units == 121);
}

TEST_CASE("Operations on pairs share the stack's bandwidth, and hold no pairs that it cannot feed") {
  // Each could run in 1 s on 10 of 100 pairs, but moves data for 1 s.
  TaskGraph graph;
  const Task task{
      .kind = TaskKind::fixed, .pairs = 50, .host = 1e3, .programmable = 1e3, .pair_work = 10, .streaming = 1};
  graph.tasks = {task, task, task};
  graph.connect({}, {});
  const std::vector<std::uint8_t> candidate{1, 1, 1};
  const std::vector<std::uint32_t> order{0, 1, 2};
  const Stream stream{.graph = &graph, .steps = 1, .candidate = candidate, .order = order};
  const Runtime runtime{.pairs = 100, .fallback = Fallback::never};
  Executor executor;
  Execution execution;
  executor.run(runtime, std::span(&stream, 1), true, execution);
  CHECK(execution.makespan == Approx(3));
  for (const Segment& segment : execution.timeline) CHECK(segment.units <= 11);
}

TEST_CASE("Pairs have the bandwidth that processors leave, and have it back when these end") {
  // The host takes half of the stack's bandwidth for 1 s; the pairs need all of it for 1 s.
  TaskGraph graph;
  graph.tasks = {
      {.kind = TaskKind::programmable, .host = 1, .programmable = 10, .host_streaming = 0.5},
      {.kind = TaskKind::fixed, .pairs = 10, .host = 1e3, .programmable = 1e3, .pair_work = 1, .streaming = 1}};
  graph.connect({}, {});
  const std::vector<std::uint8_t> candidate{0, 1};
  const std::vector<std::uint32_t> order{0, 1};
  const Stream stream{.graph = &graph, .steps = 1, .candidate = candidate, .order = order};
  Executor executor;
  Execution execution;
  executor.run({.pairs = 10, .idle_pim_helps = false}, std::span(&stream, 1), false, execution);
  CHECK(execution.makespan == Approx(1.5));
  // One that does not need what the host takes is not slowed down.
  graph.tasks[1].streaming = 0.4;
  graph.tasks[1].pair_work = 10;
  executor.run({.pairs = 10, .idle_pim_helps = false}, std::span(&stream, 1), true, execution);
  CHECK(execution.makespan == Approx(1));
  CHECK(execution.timeline.size() == 2);
}

TEST_CASE("A second stream takes only what the first one leaves") {
  TaskGraph first;
  first.tasks.push_back({.kind = TaskKind::fixed, .pairs = 10, .host = 5, .programmable = 50, .pair_work = 20});
  first.connect({}, {});
  TaskGraph second;
  second.tasks.push_back({.kind = TaskKind::programmable, .host = 1, .programmable = 3});
  second.connect({}, {});
  const std::vector<std::uint8_t> offered{1};
  const std::vector<std::uint8_t> kept{0};
  const std::vector<std::uint32_t> order{0};
  const Stream both[]{{.graph = &first, .steps = 1, .candidate = offered, .order = order},
                      {.graph = &second, .steps = 2, .candidate = kept, .order = order}};
  Runtime runtime{.pairs = 10, .programmable = 1, .fallback = Fallback::never, .idle_pim_helps = false};
  Executor executor;
  Execution execution;
  executor.run(runtime, both, false, execution);
  CHECK(execution.makespan == Approx(2));
  CHECK(execution.stream_ends[0] == Approx(2));
  CHECK(execution.stream_ends[1] == Approx(2));
}

TEST_CASE("Idle PIM takes operations that are not candidates from a busy host, each kind its own PIM") {
  TaskGraph graph;
  graph.tasks = {{.kind = TaskKind::programmable, .host = 3, .programmable = 9},
                 {.kind = TaskKind::programmable, .host = 1, .programmable = 2},
                 {.kind = TaskKind::fixed, .pairs = 10, .host = 1, .programmable = 9, .pair_work = 10},
                 {.kind = TaskKind::fixed, .pairs = 10, .host = 1, .programmable = 9, .pair_work = 10}};
  graph.connect({}, {});
  const std::vector<std::uint8_t> candidate{0, 0, 0, 0};
  const std::vector<std::uint32_t> order{0, 1, 2, 3};
  const Stream stream{.graph = &graph, .steps = 1, .candidate = candidate, .order = order};
  Executor executor;
  Execution execution;
  Runtime runtime{.pairs = 10, .programmable = 1, .idle_pim_helps = false};
  executor.run(runtime, std::span(&stream, 1), false, execution);
  CHECK(execution.makespan == Approx(6));
  runtime.idle_pim_helps = true;
  executor.run(runtime, std::span(&stream, 1), false, execution);
  // The pairs take the third at once and the fourth after it; both end before the host has done the first.
  CHECK(execution.makespan == Approx(3));
  CHECK(execution.placements ==
        std::vector<Placement>{Device::host, Device::programmable, Device::pairs, Device::pairs});
}
