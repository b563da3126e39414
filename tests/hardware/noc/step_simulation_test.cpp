#include "hardware/noc/step_simulation.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "flow_simulation.h"
#include "hardware/noc/h_tree.h"
#include "hardware/noc/torus.h"

using namespace pimsweep::hardware::noc;
using namespace pimsweep;

namespace {

/// A program without any pattern: about half of the tasks compute, each after a few of the tasks just before it.
/// Amounts are often equal, so that tasks end at the same time.
StepProgram random_program(std::mt19937& random, std::size_t levels, std::size_t tasks) {
  std::uniform_int_distribution<std::size_t> level(1, std::max<std::size_t>(levels, 1));
  std::uniform_int_distribution<int> amount(0, 8);
  std::uniform_int_distribution<std::size_t> reach(1, 6);
  std::bernoulli_distribution computes(0.5);
  std::bernoulli_distribution waits(0.6);
  StepProgram program;
  for (std::size_t task = 0; task < tasks; ++task) {
    std::vector<TaskId> after;
    for (int i = 0; i < 3 && task > 0; ++i) {
      if (waits(random)) after.push_back(static_cast<TaskId>(task - std::min(task, reach(random))));
    }
    if (levels == 0 || computes(random)) {
      program.add_computation(0.25 * amount(random), after);
    } else {
      program.add_exchange(level(random), 3.0 * amount(random), after);
    }
  }
  return program;
}

ExchangeNetwork random_network(std::mt19937& random, std::size_t levels) {
  const double of_links = std::uniform_real_distribution<double>(0.5, 8.0)(random);
  switch (std::uniform_int_distribution<int>(0, 4)(random)) {
    case 0:
      return torus(levels, of_links, TorusRouting::dimension_order, TorusMapping::row_major);
    case 1:
      return torus(levels, of_links, TorusRouting::balanced, TorusMapping::row_major);
    case 2:
      return torus(levels, of_links, TorusRouting::dimension_order, TorusMapping::alternating);
    default:
      return h_tree(levels, of_links);
  }
}

double alone(const ExchangeNetwork& network, const StepTask& task) {
  return task.is_computation() ? task.amount : network.seconds(task.level, task.amount);
}

double critical_path(const ExchangeNetwork& network, const StepProgram& program) {
  std::vector<double> end(program.size(), 0.0);
  for (TaskId task = 0; task < program.size(); ++task) {
    for (const TaskId earlier : program.after(task)) end[task] = std::max(end[task], end[earlier]);
    end[task] += alone(network, program[task]);
  }
  return end.empty() ? 0 : *std::ranges::max_element(end);
}

}  // namespace

TEST_CASE("one task at a time: the makespan is the sum of all tasks") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    StepSimulation simulation(random_network(random, static_cast<std::size_t>(round % 6)));
    const StepProgram program = random_program(random, simulation.network().levels(), 30);
    const StepTimeline& timeline = simulation.run(program, false);
    double sum = 0;
    for (TaskId task = 0; task < program.size(); ++task) {
      REQUIRE(timeline.start[task] == sum);
      sum += alone(simulation.network(), program[task]);
      REQUIRE(timeline.end[task] == sum);
    }
    REQUIRE(timeline.makespan == sum);
    REQUIRE(timeline.only_computation == timeline.computation_seconds);
    REQUIRE(timeline.both == 0);
  }
}

TEST_CASE("laws of a step in which everything overlaps") {
  std::mt19937 random(2);
  for (int round = 0; round < 600; ++round) {
    StepSimulation simulation(random_network(random, static_cast<std::size_t>(round % 6)));
    const ExchangeNetwork& network = simulation.network();
    const StepProgram program = random_program(random, network.levels(), static_cast<std::size_t>(round % 60));
    const StepTimeline timeline = simulation.run(program);
    const double tolerance = 1e-9 * timeline.makespan;

    double computation = 0;
    double link_bytes = 0;
    double sum = 0;
    std::vector<std::pair<double, double>> computations;
    for (TaskId task = 0; task < program.size(); ++task) {
      const double seconds = alone(network, program[task]);
      sum += seconds;
      for (const TaskId earlier : program.after(task)) {
        REQUIRE(timeline.start[task] >= timeline.end[earlier]);
      }
      if (program[task].is_computation()) {
        computation += seconds;
        REQUIRE(timeline.end[task] - timeline.start[task] == Approx(seconds).margin(tolerance));
        computations.emplace_back(timeline.start[task], timeline.end[task]);
      } else {
        // Other exchanges can only delay one.
        REQUIRE(timeline.end[task] - timeline.start[task] >= seconds - tolerance);
        link_bytes += network.link_bytes(program[task].level, program[task].amount);
      }
    }
    std::ranges::sort(computations);
    for (std::size_t i = 1; i < computations.size(); ++i) {
      REQUIRE(computations[i].first >= computations[i - 1].second);
    }
    REQUIRE(timeline.computation_seconds == Approx(computation));
    REQUIRE(timeline.only_computation + timeline.both == Approx(computation).margin(tolerance));
    REQUIRE(timeline.only_computation + timeline.only_exchange + timeline.both ==
            Approx(timeline.makespan).margin(tolerance));
    REQUIRE(timeline.makespan >= computation - tolerance);
    REQUIRE(timeline.makespan >= critical_path(network, program) - tolerance);
    REQUIRE(timeline.makespan <= sum + tolerance);
    double carried = 0;
    for (std::size_t link = 0; link < network.bandwidth.size(); ++link) {
      carried += timeline.link_bytes[link];
      REQUIRE(timeline.makespan >= timeline.link_bytes[link] / network.bandwidth[link] - tolerance);
    }
    REQUIRE(carried == Approx(link_bytes).margin(1e-9));

    // The same again gives the same bits, also after another program.
    simulation.run(random_program(random, network.levels(), 20));
    const StepTimeline& again = simulation.run(program);
    REQUIRE(again.makespan == timeline.makespan);
    REQUIRE(again.start == timeline.start);
    REQUIRE(again.end == timeline.end);
  }
}

TEST_CASE("an exchange alone takes the network's seconds, and less with more bandwidth") {
  for (std::size_t level = 1; level <= 5; ++level) {
    StepProgram program;
    program.add_exchange(level, 1e6);
    double slower = std::numeric_limits<double>::infinity();
    for (const double bandwidth : {1e6, 1.1e6, 2e6, 7e6}) {
      StepSimulation simulation(torus(5, bandwidth, TorusRouting::dimension_order, TorusMapping::row_major));
      const double makespan = simulation.run(program).makespan;
      CHECK(makespan == Approx(simulation.network().seconds(level, 1e6)).epsilon(1e-12));
      CHECK(makespan < slower);
      slower = makespan;
    }
  }
}

TEST_CASE("a faster network can make a step longer: computations are not interrupted") {
  // A long computation waits for `early`; a short one, and after it a long exchange, waits for `late`. Where `early`
  // ends before `late` does, the long computation is first and holds up the rest.
  const auto makespan = [](double bandwidth) {
    StepProgram program;
    const TaskId first = program.add_computation(1.0);
    const TaskId early = program.add_exchange(1, 6.0);
    const TaskId late = program.add_exchange(2, 0.5, {first});
    const TaskId small = program.add_computation(1.0, {late});
    program.add_computation(20.0, {early});
    program.add_exchange(2, 60.0, {small});
    StepSimulation simulation(h_tree(2, bandwidth));
    return simulation.run(program).makespan;
  };
  CHECK(makespan(1.0) == Approx(32.5));
  CHECK(makespan(2.0) == Approx(37.0));
}

TEST_CASE("lockstep loses nothing: each accelerator by its own clock, each flow at its own rate") {
  std::mt19937 random(3);
  for (int round = 0; round < 120; ++round) {
    const auto levels = static_cast<std::size_t>(round % 6);
    const StepProgram program = random_program(random, levels, 24);
    const auto check = [&](ExchangeNetwork network, const FlowNetwork& flows) {
      StepSimulation simulation(std::move(network));
      const StepTimeline& timeline = simulation.run(program);
      const std::vector<std::vector<double>> ends = simulate_flows(flows, levels, program);
      double difference = 0;
      for (TaskId task = 0; task < program.size(); ++task) {
        for (const double end : ends[task]) difference = std::max(difference, std::abs(end - timeline.end[task]));
      }
      INFO("round " << round << ", " << levels << " levels");
      REQUIRE(difference <= 1e-8 * (1 + timeline.makespan));
    };
    check(h_tree(levels, 2.0), tree_of_switches(levels, 2.0));
    for (const TorusRouting routing : {TorusRouting::dimension_order, TorusRouting::balanced}) {
      for (const TorusMapping mapping : {TorusMapping::row_major, TorusMapping::alternating}) {
        INFO(word_of(torus_routing_words, routing) << ", " << word_of(torus_mapping_words, mapping));
        check(torus(levels, 3.0, routing, mapping), torus_of_nodes(levels, 3.0, routing, mapping));
      }
    }
  }
}

TEST_CASE("tasks that cannot be are refused") {
  StepProgram program;
  CHECK_THROWS_AS(program.add_computation(-1.0), std::invalid_argument);
  CHECK_THROWS_AS(program.add_computation(std::nan("")), std::invalid_argument);
  CHECK_THROWS_AS(program.add_exchange(1, std::numeric_limits<double>::infinity()), std::invalid_argument);
  CHECK_THROWS_AS(program.add_exchange(0, 1.0), std::invalid_argument);
  CHECK_THROWS_AS(program.add_computation(1.0, {0}), std::invalid_argument);
  CHECK(program.size() == 0);
  program.add_exchange(3, 1.0);
  StepSimulation simulation(h_tree(2, 1.0));
  CHECK_THROWS_AS(simulation.run(program), std::invalid_argument);
  program.clear();
  CHECK(simulation.run(program).makespan == 0);
}
