#include "systems/rtconc/schedule/strategies.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "systems/rtconc/hill_climbing.h"
#include "systems/rtconc/random_step.h"

using namespace pimsweep::systems::rtconc::schedule;
using namespace pimsweep::systems::rtconc;
using namespace pimsweep;
namespace manycore = pimsweep::hardware::manycore;

namespace {

/// The processor of the paper, as far as its examples need it.
manycore::Device phi() {
  std::mt19937 random(1);
  manycore::Device device = random_device(random);
  device.cores = 68;
  device.cores_per_tile = 2;
  return device;
}

/// Operations that wait for nobody, each of its own class and kind.
struct Ready {
  manycore::Device device = phi();
  std::vector<Case> cases = cases_of(device);
  std::vector<OperationClass> classes;
  Step step;

  explicit Ready(std::uint32_t operations) {
    const manycore::Operations make(device, manycore::Library::mkl_dnn);
    for (std::uint32_t i = 0; i < operations; ++i) {
      classes.push_back({.work = make.elementwise(1e6, 2, 1, 2), .kind = i});
      step.operation_class.push_back(i);
      step.predecessors.push_back(0);
    }
    step.successor_begin.assign(operations + 1, 0);
    step.kinds = operations;
  }

  std::size_t at(double threads, manycore::Affinity affinity) const {
    std::size_t which = 0;
    while (cases[which].threads != threads || cases[which].affinity != affinity) ++which;
    return which;
  }
};

/// Times that are known for some cases; all others are long.
struct Times {
  explicit Times(const Ready& of) : ready(of) {
    prediction.cases = of.cases.size();
    prediction.seconds.assign(of.cases.size() * of.classes.size(), 100);
  }
  void set(std::size_t operation, double threads, manycore::Affinity affinity, double seconds) {
    prediction.seconds[operation * prediction.cases + ready.at(threads, affinity)] = seconds;
  }
  const Ready& ready;
  Prediction prediction;
};

}  // namespace

TEST_CASE("Strategy 3 takes the example of Section III-D as printed") {
  using enum manycore::Affinity;
  const Ready ready(2);
  const CostTable costs(ready.device, ready.classes, ready.cases);
  Times times(ready);
  times.set(0, 48, compact, 1.9);
  times.set(1, 18, spread, 1.5);
  times.set(1, 20, spread, 1.3);
  times.set(1, 16, spread, 2.1);
  Strategies policy(costs, times.prediction, ready.classes, {.fixed_by_type = true, .co_run = true});
  Board board(ready.device, ready.step, ready.classes);
  board.reset({}, {});
  policy.dispatch(board);
  // The longest goes first; beside it 18 of the 20 idle cores.
  REQUIRE(board.active().size() == 2);
  CHECK(board.active()[0].operation == 0);
  CHECK(board.active()[0].cost->cores == 48);
  CHECK(board.active()[1].cost->cores == 18);
  CHECK(board.idle_cores() == 2);
}

TEST_CASE("Strategy 3 falls back to Strategy 2's number where a candidate is further than two threads from it") {
  using enum manycore::Affinity;
  const Ready ready(2);
  const CostTable costs(ready.device, ready.classes, ready.cases);
  Times times(ready);
  times.set(0, 48, compact, 1.9);
  times.set(1, 20, spread, 1.3);
  times.set(1, 10, spread, 1.5);
  times.set(1, 12, spread, 1.6);
  Strategies policy(costs, times.prediction, ready.classes, {.fixed_by_type = true, .co_run = true});
  Board board(ready.device, ready.step, ready.classes);
  board.reset({}, {});
  policy.dispatch(board);
  REQUIRE(board.active().size() == 2);
  CHECK(board.active()[1].cost->cores == 20);
}

TEST_CASE("Strategy 4 puts the shortest operations onto the hardware threads of one that has all cores") {
  using enum manycore::Affinity;
  const Ready ready(4);
  const CostTable costs(ready.device, ready.classes, ready.cases);
  Times times(ready);
  times.set(0, 68, compact, 5);
  for (const std::size_t small : {1U, 2U}) {
    times.set(small, 1, spread, 1.0 / static_cast<double>(small));
    times.set(small, 4, spread, 0.3);
  }
  times.set(3, 68, compact, 6);
  for (const bool hyper_threads : {false, true}) {
    Strategies policy(costs, times.prediction, ready.classes,
                      {.fixed_by_type = true, .co_run = true, .hyper_threads = hyper_threads});
    Board board(ready.device, ready.step, ready.classes);
    board.reset({}, {});
    policy.dispatch(board);
    REQUIRE(!board.active().empty());
    CHECK(board.active()[0].operation == 3);
    if (!hyper_threads) {
      CHECK(board.active().size() == 1);
      continue;
    }
    // The shortest on one thread first; for the last there are not enough hardware threads.
    REQUIRE(board.active().size() == 3);
    CHECK(board.active()[1].operation == 2);
    CHECK(board.active()[2].operation == 1);
    CHECK(board.active()[2].cost->threads == 4);
  }
}

TEST_CASE("Strategy 3 starts the longest operation where none fits, or lets it wait for its cores") {
  using enum manycore::Affinity;
  const Ready ready(3);
  const CostTable costs(ready.device, ready.classes, ready.cases);
  Times times(ready);
  times.set(0, 48, compact, 9);
  // Neither ends before the first one.
  times.set(1, 40, compact, 8.5);
  times.set(2, 60, compact, 8);
  for (const bool waits : {false, true}) {
    Strategies policy(costs, times.prediction, ready.classes,
                      {.fixed_by_type = true, .co_run = true, .longest_waits = waits});
    Board board(ready.device, ready.step, ready.classes);
    board.reset({}, {});
    policy.dispatch(board);
    REQUIRE(board.active().size() == (waits ? 1 : 2));
    CHECK(board.active()[0].operation == 0);
    if (!waits) CHECK(board.active()[1].operation == 1);
  }
}

TEST_CASE("Hill climbing is exact where it measured, and counts only cases between two measured ones") {
  using enum manycore::Affinity;
  const Ready ready(1);
  const CostTable costs(ready.device, ready.classes, ready.cases);
  for (const std::int64_t interval : {1, 2, 3, 4, 16}) {
    const PerformanceModel model = hill_climbing(ready.device, costs, ready.cases, interval, Sharing::both, 0, 1);
    for (const manycore::Affinity affinity : {spread, compact}) {
      double first = 1e9;
      double last = 0;
      for (std::size_t i = 0; i < ready.cases.size(); ++i) {
        if (ready.cases[i].affinity != affinity || model.basis[i] != Basis::measured) continue;
        CHECK(model.prediction.seconds[i] == costs.at(0, i).seconds);
        first = std::min(first, ready.cases[i].threads);
        last = std::max(last, ready.cases[i].threads);
      }
      CHECK(first == (affinity == spread ? 1 : 2));
      for (std::size_t i = 0; i < ready.cases.size(); ++i) {
        if (ready.cases[i].affinity != affinity || model.basis[i] == Basis::measured) continue;
        CHECK((model.basis[i] == Basis::predicted) == (ready.cases[i].threads < last));
        // Beyond the climb's end nothing was measured: no line is drawn there.
        if (ready.cases[i].threads > last) {
          CHECK(model.prediction.seconds[i] == costs.at(0, ready.at(last, affinity)).seconds);
        }
      }
    }
  }
}

TEST_CASE("With threads that share tiles, hill climbing visits even numbers only") {
  const Ready ready(1);
  const CostTable costs(ready.device, ready.classes, ready.cases);
  for (const std::int64_t interval : {1, 2, 3, 4}) {
    const PerformanceModel model = hill_climbing(ready.device, costs, ready.cases, interval, Sharing::with, 0, 1);
    const auto measured = std::ranges::count(model.basis, Basis::measured);
    // Every measurement is one of the cases, all of which are even; the number of steps counts them.
    CHECK(static_cast<double>(measured) == model.steps);
    CHECK(measured > 1);
  }
}
