#include "systems/heteropim/heteropim.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "sweep/hardware_file.h"
#include "systems/heteropim/schema.h"
#include "workload/training/training_library.h"

// One training step, scheduled and executed: order, candidates and run. Needs the source tree's root as working
// directory.

namespace {

using namespace pimsweep::sweep;
using namespace pimsweep::systems::heteropim::runtime;
using namespace pimsweep::systems::heteropim;
using namespace pimsweep::systems;
using namespace pimsweep;

/// Settings of hardware "heteropim" with every axis at its default.
Settings settings_of(const std::string& workload, const std::string& policy) {
  const std::unique_ptr<System> system = make_heteropim("configs");
  const Schema& schema = system->schema();
  const HardwareFile hardware = load_hardware("heteropim", schema, "configs");
  std::vector<Value> values;
  for (const Axis& axis : schema.axes) {
    const std::string key = axis.name.rfind("hardware.", 0) == 0 ? axis.name.substr(9) : std::string();
    if (axis.name == "workload") {
      values.emplace_back(workload);
    } else if (axis.name == "policy") {
      values.emplace_back(policy);
    } else {
      values.push_back(hardware.constants.contains(key) ? hardware.constants.at(key).value : *axis.default_value);
    }
  }
  Point point(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) point.set(i, &values[i]);
  return PointReader(schema).settings(point);
}

void one_step(benchmark::State& state, const std::string& workload, const std::string& policy) {
  const workload::ModelLibrary models("configs/models");
  const workload::training::TrainingLibrary steps("configs/training", models);
  const workload::training::TrainingGraph graph = workload::training::training_graph(models, steps.find(workload));
  const Settings settings = settings_of(workload, policy);
  constexpr std::uint32_t pairs = 444;
  const StepCosts costs = step_costs(graph, settings.machine, MainMemory::stack, {.pairs = pairs});
  const bool ahead = settings.policy->kind == Policy::Kind::lookahead;
  Runtime runtime{.pairs = pairs, .programmable = 1};
  runtime.host_launch = settings.machine.synchronisation.launch;
  if (ahead) runtime.assignment = Assignment::earliest_end;
  Executor executor;
  Execution execution;
  for (auto _ : state) {
    const auto candidate = candidate_flags(graph, choose_candidates(graph, costs, settings.candidate_share));
    const auto order = ahead ? by_upward_rank(costs.graph, pairs) : program_order(costs.graph);
    const Stream stream{.graph = &costs.graph, .steps = 1, .candidate = candidate, .order = order};
    executor.run(runtime, std::span(&stream, 1), true, execution);
    benchmark::DoNotOptimize(execution.makespan);
  }
  state.counters["operations"] = static_cast<double>(graph.size());
  state.counters["segments"] = static_cast<double>(execution.timeline.size());
}
BENCHMARK_CAPTURE(one_step, inception_greedy, "heteropim-inception-v3", "hetero-pim")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(one_step, inception_lookahead, "heteropim-inception-v3", "lookahead")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
