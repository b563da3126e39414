#include "hardware/noc/routed_step.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "hardware/noc/h_tree.h"

using namespace pimsweep::noc;

namespace {

/// Links of one flit of one byte in a second.
struct Array {
  ExchangeNetwork network;
  RoutedArray routed;
};

Array make_array(std::size_t levels, unsigned kind) {
  const RouterSettings router;
  if (kind == 0) return {h_tree(levels, 1), RoutedArray::h_tree(levels, router, 8)};
  const auto routing = static_cast<TorusRouting>(kind % 2);
  const auto mapping = static_cast<TorusMapping>(kind / 2 % 2);
  return {torus(levels, 1, routing, mapping), RoutedArray::torus(levels, routing, mapping, router, 8)};
}

/// Computations and exchanges of `least` to 5 `least` cycles, most of them one after another.
StepProgram random_program(std::mt19937& random, const ExchangeNetwork& network, unsigned least) {
  const auto below = [&](std::size_t bound) { return static_cast<unsigned>(random() % bound); };
  StepProgram program;
  const unsigned tasks = 3 + below(5);
  for (unsigned task = 0; task < tasks; ++task) {
    std::vector<TaskId> after;
    if (task > 0 && below(3) != 0) after.push_back(task - 1 - below(std::min(task, 3U)));
    const double amount = least + below(4 * least);
    if (below(3) == 0) {
      program.add_computation(amount, after);
    } else {
      const std::size_t level = 1 + below(network.levels());
      program.add_exchange(level, amount / network.flow_share(level), after);
    }
  }
  return program;
}

}  // namespace

TEST_CASE("on an H-tree routers add latency to what the links say, and nothing else") {
  std::mt19937 random(2);
  for (std::size_t levels = 1; levels <= 4; ++levels) {
    for (int round = 0; round < 3; ++round) {
      const Array array = make_array(levels, 0);
      const StepProgram program = random_program(random, array.network, 400);
      const RoutedStep routed(array.routed, array.network, 1, 1);
      StepSimulation links(array.network);
      for (const bool overlap : {true, false}) {
        const double makespan = routed.simulate(program, overlap, 1).makespan;
        const double at_least = links.run(program, overlap).makespan;
        // A chain of all tasks passes no more than so many routers and links; packets share a link in turns.
        const double latency = static_cast<double>(program.size()) * (2.0 * static_cast<double>(levels) * 5 + 16);
        // Shared links go to whole packets, not to equal flows.
        CHECK(makespan >= at_least - 8.0 * static_cast<double>(program.size()));
        CHECK(makespan <= at_least + latency);
      }
    }
  }
}

// An eighth and a quarter of a step of some ten thousand cycles: latencies that hide behind other tasks in one of them
// and not in the other are enlarged six times.
TEST_CASE("a step continued at the pace of its beginning is the whole step within 5 %, mostly within 1 %") {
  int near = 0;
  std::mt19937 random(5);
  for (int round = 0; round < 10; ++round) {
    const std::size_t levels = 1 + random() % 4;
    const auto kind = static_cast<unsigned>(random() % 5);
    const Array array = make_array(levels, kind);
    const StepProgram program = random_program(random, array.network, 2000);
    const RoutedStep routed(array.routed, array.network, 1, 1);
    const double whole = routed.simulate(program, true, 1).makespan;
    const double quarter = routed.simulate(program, true, 0.25).makespan;
    const double eighth = routed.simulate(program, true, 0.125).makespan;
    CAPTURE(levels, kind, whole);
    const double continued = quarter + (quarter - eighth) / 0.125 * 0.75;
    CHECK(continued == Approx(whole).epsilon(0.05));
    near += std::abs(continued / whole - 1) < 0.01 ? 1 : 0;
  }
  CHECK(near >= 6);
}
