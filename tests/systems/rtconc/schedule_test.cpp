#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>

#include "systems/rtconc/hill_climbing.h"
#include "systems/rtconc/random_step.h"
#include "systems/rtconc/schedule/list_scheduling.h"
#include "systems/rtconc/schedule/strategies.h"

using namespace pimsweep::systems::rtconc::schedule;
using namespace pimsweep::systems::rtconc;
using namespace pimsweep;
namespace manycore = pimsweep::hardware::manycore;

namespace {

/// Nothing that was computed differently is equal to the last digit.
constexpr double rounding = 1e-9;

void check_dependencies(const RandomStep& made, const Outcome& outcome) {
  std::vector<double> done(made.step.size(), 0);
  bool in_order = true;
  for (std::size_t i = 0; i < made.step.size(); ++i) {
    double ready = 0;
    for (const std::uint32_t before : made.predecessors[i]) ready = std::max(ready, done[before]);
    if (made.step.operation_class[i] == Step::none) {
      done[i] = ready;
      continue;
    }
    done[i] = outcome.end[i];
    in_order = in_order && outcome.start[i] >= ready && outcome.end[i] > outcome.start[i];
  }
  CHECK(in_order);
}

struct Usage {
  double max_threads = 0;
  std::size_t max_operations = 0;
  /// Cores were used twice although no running operation had all of them.
  bool shares_without_need = false;
};

Usage usage_of(const RandomStep& made, const Outcome& outcome) {
  Usage usage;
  std::map<std::uint32_t, const RunCost*> running;
  for (const Event& event : outcome.events) {
    if (!event.starts) {
      CHECK(event.running == running.size());
      running.erase(event.operation);
      continue;
    }
    double before = 0;
    bool full = false;
    for (const auto& [operation, cost] : running) {
      before += cost->cores;
      full = full || cost->cores >= made.device.cores;
    }
    const RunCost* cost = outcome.cost[event.operation];
    running[event.operation] = cost;
    usage.shares_without_need = usage.shares_without_need || (before + cost->cores > made.device.cores && !full);
    double threads = 0;
    for (const auto& entry : running) threads += entry.second->threads;
    usage.max_threads = std::max(usage.max_threads, threads);
    usage.max_operations = std::max(usage.max_operations, running.size());
  }
  CHECK(running.empty());
  return usage;
}

void check_bounds(const RandomStep& made, const CostTable& costs, const Outcome& outcome) {
  std::vector<double> least;
  std::vector<double> work;
  for (std::size_t c = 0; c < made.classes.size(); ++c) {
    double seconds = INFINITY;
    for (const RunCost& cost : costs.of(c)) seconds = std::min(seconds, cost.seconds);
    least.push_back(seconds);
    work.push_back(min_core_seconds(made.device, made.classes[c].work));
  }
  double arithmetic = 0;
  double alone = 0;
  double taken = 0;
  bool never_faster = true;
  for (std::size_t i = 0; i < made.step.size(); ++i) {
    if (made.step.operation_class[i] == Step::none) continue;
    arithmetic += work[made.step.operation_class[i]];
    const double seconds = outcome.end[i] - outcome.start[i];
    never_faster = never_faster && seconds >= outcome.cost[i]->seconds * (1 - rounding);
    alone += outcome.cost[i]->seconds;
    taken += seconds;
  }
  CHECK(never_faster);
  CHECK(outcome.seconds >= critical_path(made.step, least, 0) * (1 - rounding));
  CHECK(outcome.seconds >= arithmetic / made.device.cores * (1 - rounding));
  CHECK(taken == Approx(alone + outcome.change_seconds + outcome.contention_seconds));
  CHECK(outcome.contention_seconds >= -rounding * alone);
}

}  // namespace

TEST_CASE("Schedules of random steps respect dependencies, cores and bounds") {
  std::mt19937 random(7);
  for (int round = 0; round < 25; ++round) {
    const RandomStep made = random_step(random, 150);
    const std::vector<Case> cases = cases_of(made.device);
    const CostTable costs(made.device, made.classes, cases);
    const double cores = made.device.cores;
    Board board(made.device, made.step, made.classes);
    const auto check = [&](const Outcome& outcome, const CostTable& of) {
      check_dependencies(made, outcome);
      check_bounds(made, of, outcome);
      return usage_of(made, outcome);
    };

    const Case only{static_cast<double>(1 + random() % 40), manycore::Affinity::compact};
    const Case fitting{std::min(only.threads, cores * made.device.smt), only.affinity};
    const CostTable uniform_costs(made.device, made.classes, std::span(&fitting, 1));
    const std::size_t inter = 1 + random() % 4;
    Uniform uniform(uniform_costs, inter);
    CHECK(check(simulate(board, uniform, {}), uniform_costs).max_operations <= inter);

    const PerformanceModel model = hill_climbing(made.device, costs, cases, 2, Sharing::both, 0, 1);
    for (const bool co_run : {false, true}) {
      for (const bool hyper_threads : {false, true}) {
        if (hyper_threads && !co_run) continue;
        for (const bool longest_waits : {false, true}) {
          Strategies policy(costs, model.prediction, made.classes, {true, co_run, hyper_threads, longest_waits});
          const Usage usage = check(simulate(board, policy, {.changes = true}), costs);
          // The longest operation starts beside others that leave a core idle.
          CHECK(usage.max_threads <= (hyper_threads || !longest_waits ? 2 : 1) * cores);
          CHECK((!longest_waits || !usage.shares_without_need));
          if (!co_run) CHECK(usage.max_operations == 1);
        }
      }
    }

    for (const double room : {1.0, 2.0}) {
      Moldable moldable(costs, 1, room);
      const std::vector<double> priorities = moldable.priorities(made.step);
      CHECK(check(simulate(board, moldable, {}, priorities), costs).max_threads <= room * cores);
    }
  }
}

TEST_CASE("Operations on cores of their own do not feel each other where memory is fast and caches are large") {
  std::mt19937 random(11);
  for (int round = 0; round < 10; ++round) {
    RandomStep made = random_step(random, 100);
    made.device.memory_bandwidth = 1e15;
    made.device.tile_cache = 1e12;
    for (OperationClass& one : made.classes) one.waking.each = 0;
    const CostTable costs(made.device, made.classes, cases_of(made.device));
    Board board(made.device, made.step, made.classes);
    Moldable policy(costs, 2, 1);
    const Outcome& outcome = simulate(board, policy, {});
    CHECK(std::abs(outcome.contention_seconds) <= rounding * outcome.seconds);
  }
}

TEST_CASE("One operation at a time takes the sum of all times, and a step can be run again") {
  std::mt19937 random(13);
  const RandomStep made = random_step(random, 120);
  const Case all{made.device.cores, manycore::Affinity::compact};
  const CostTable costs(made.device, made.classes, std::span(&all, 1));
  Board board(made.device, made.step, made.classes);
  Uniform policy(costs, 1);
  const double dispatch = 1e-6;
  double sum = 0;
  for (const std::uint32_t c : made.step.operation_class) {
    if (c != Step::none) sum += costs.at(c, 0).seconds + dispatch;
  }
  const double first = simulate(board, policy, {.dispatch = dispatch}).seconds;
  CHECK(first == Approx(sum).epsilon(1e-12));
  CHECK(simulate(board, policy, {.dispatch = dispatch}).seconds == first);
}

TEST_CASE("Times with threads awake serve every way to wake them, to the last digit") {
  std::mt19937 random(29);
  const RandomStep made = random_step(random, 1);
  std::vector<OperationClass> classes = made.classes;
  const std::vector<Case> cases = cases_of(made.device);
  const RunTimes times(made.device, classes, cases);
  for (int machine = 0; machine < 5; ++machine) {
    for (OperationClass& one : classes) {
      one.waking = {static_cast<Start>(random() % 3), 1e-6 * static_cast<double>(random() % 30)};
      one.serial = 1e-4 * static_cast<double>(random() % 3);
    }
    const CostTable shared(made.device, classes, cases, times);
    bool equal = true;
    for (std::size_t c = 0; c < classes.size(); ++c) {
      for (std::size_t which = 0; which < cases.size(); ++which) {
        const RunCost alone = cost_of(made.device, classes[c], cases[which]);
        const RunCost& cost = shared.at(c, which);
        equal = equal && cost.seconds == alone.seconds && cost.drawn == alone.drawn && cost.memory == alone.memory &&
                cost.waking_share == alone.waking_share && cost.team.threads == alone.team.threads &&
                seconds_of(classes[c], cases[which], times.at(c, which)) == alone.seconds;
      }
    }
    CHECK(equal);
  }
}

TEST_CASE("A cost alone is the time of the many-core model, and contention makes it longer as that does") {
  std::mt19937 random(17);
  for (int round = 0; round < 200; ++round) {
    const RandomStep made = random_step(random, 1);
    const manycore::Work& work = made.classes[random() % made.classes.size()].work;
    const double threads = 1 + static_cast<double>(random() % static_cast<unsigned>(made.device.cores));
    const auto placement = manycore::place(made.device, threads, manycore::Affinity::compact);
    const Waking threads_to_wake{static_cast<Start>(random() % 3), made.device.spawn / 2};
    const RunCost cost = run_cost(made.device, work, placement, threads_to_wake);
    const double waking = waking_time(threads_to_wake, threads);
    CHECK(cost.seconds == manycore::run_time(made.device, work, placement).total + waking);
    CHECK(time_under_contention(made.device, cost, {}) == Approx(cost.seconds).epsilon(1e-9));
    const manycore::Contention contention{static_cast<double>(random() % 3), 1e5, 1e10};
    const double beside = time_under_contention(made.device, cost, contention);
    CHECK(beside >= cost.seconds * (1 - rounding));
    // The many-core model may find a better split of the loops for this contention, never a worse one.
    CHECK(manycore::run_time(made.device, work, placement, contention).total + waking <= beside * (1 + rounding));
    CHECK(time_under_contention(made.device, cost, contention, {1, 8}) >= beside);
  }
}

TEST_CASE("Threads are woken one by one or by halves") {
  const auto seconds = [](Start start, double threads) { return waking_time({start, 10e-6}, threads); };
  for (const double threads : {1.0, 2.0, 3.0, 64.0, 68.0}) {
    CHECK(seconds(Start::spinning, threads) == 0);
    CHECK(seconds(Start::one_by_one, threads) == Approx((threads - 1) * 10e-6));
  }
  CHECK(seconds(Start::by_halves, 1) == 0);
  CHECK(seconds(Start::by_halves, 64) == Approx(60e-6));
  CHECK(seconds(Start::by_halves, 68) == Approx(70e-6));
}

TEST_CASE("The more threads spin, the longer a step of one operation at a time takes") {
  std::mt19937 random(19);
  for (int round = 0; round < 10; ++round) {
    RandomStep made = random_step(random, 100);
    const double cores = made.device.cores;
    // Half of the operations are OpenMP's, whose threads spin while the others run.
    for (OperationClass& one : made.classes) one.waking.start = one.kind % 2 == 0 ? Start::spinning : Start::by_halves;
    const Case all{cores, manycore::Affinity::compact};
    const CostTable costs(made.device, made.classes, std::span(&all, 1));
    Board board(made.device, made.step, made.classes);
    Uniform policy(costs, 1);
    const auto seconds = [&](double pool) {
      return simulate(board, policy, {.spinning_pool = pool, .context_switch = 1e-6}).seconds;
    };
    const double asleep = seconds(0);
    const double one_each = seconds(cores);
    CHECK(one_each > asleep);
    // More hardware threads than these have, there are none: those that wait for one yield, but take their turns.
    const double full = seconds(made.device.smt * cores);
    CHECK(full > one_each);
    const double queue = seconds(3 * made.device.smt * cores);
    std::size_t timed = 0;
    for (const std::uint32_t c : made.step.operation_class) timed += c == Step::none ? 0 : 1;
    CHECK(queue >= full + 1e-6 * static_cast<double>(timed));
  }
}
