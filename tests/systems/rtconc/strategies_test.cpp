#include "systems/rtconc/schedule/strategies.h"

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
  Strategies policy(costs, times.prediction, ready.classes, {true, true, false});
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
  Strategies policy(costs, times.prediction, ready.classes, {true, true, false});
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
    Strategies policy(costs, times.prediction, ready.classes, {true, true, hyper_threads});
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

TEST_CASE("Hill climbing finds the best number of threads of convex times, near it between measurements") {
  const Ready ready(1);
  const CostTable costs(ready.device, ready.classes, ready.cases);
  double before = 2;
  for (const std::int64_t interval : {1, 4, 16}) {
    PerformanceModel model = hill_climbing(ready.device, ready.classes, ready.cases, interval, Sharing::both, 0, 1);
    model.untimed.assign(1, 0);
    // At the measured cases it is exact.
    for (std::size_t i = 0; i < model.measured.size(); ++i) {
      if (model.measured[i] != 0) CHECK(model.prediction.seconds[i] == Approx(costs.at(0, i).seconds).epsilon(1e-12));
    }
    const double now = accuracy(model, costs);
    if (!std::isnan(now)) {
      CHECK(now < before);
      before = now;
    }
  }
}
