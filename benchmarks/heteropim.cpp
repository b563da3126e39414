#include "systems/heteropim/heteropim.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "sweep/hardware_file.h"
#include "systems/heteropim/axes.h"
#include "systems/heteropim/policies.h"
#include "systems/heteropim/runtime/executor.h"
#include "systems/heteropim/runtime/order.h"
#include "workload/training/graph_cache.h"

// One training step, scheduled and executed: order, candidates and run. Needs the source tree's root as working
// directory.

namespace {

using namespace pimsweep::sweep;
using namespace pimsweep::systems::heteropim::runtime;
using namespace pimsweep::systems::heteropim;
using namespace pimsweep::systems;
using namespace pimsweep;

/// Settings of hardware "heteropim" with every axis at its default.
Settings settings_of(const std::string& model, const std::string& policy) {
  const std::unique_ptr<System> system = make_heteropim("configs");
  const HardwareFile hardware = load_hardware("heteropim", system->schema(), "configs");
  const AxisTable<Settings> axes = make_axes({model});
  std::vector<Value> values;
  for (const Axis& axis : axes.axes()) {
    const std::string key = axis.name.rfind("hardware.", 0) == 0 ? axis.name.substr(9) : std::string();
    if (axis.name == "model") {
      values.emplace_back(model);
    } else if (axis.name == "policy") {
      values.emplace_back(policy);
    } else {
      values.push_back(hardware.constants.contains(key) ? hardware.constants.at(key).value : *axis.default_value);
    }
  }
  Point point(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) point.set(i, &values[i]);
  return axes.read(point);
}

void one_step(benchmark::State& state, const std::string& model, const std::string& policy) {
  workload::training::GraphCache graphs("configs");
  const Settings settings = settings_of(model, policy);
  const workload::training::TrainingGraph& graph = graphs.graph(settings.model);
  const Plan plan = settings.policy->choose(settings, graph);
  const bool ahead = plan.runtime.assignment == Assignment::earliest_end;
  Executor executor;
  Execution execution;
  for (auto _ : state) {
    const auto candidate = candidate_flags(graph, choose_candidates(graph, plan.costs, settings.candidate_share));
    const auto order = ahead ? by_upward_rank(plan.costs.graph, plan.runtime.pairs) : program_order(plan.costs.graph);
    const Stream stream{.graph = &plan.costs.graph, .steps = 1, .candidate = candidate, .order = order};
    executor.run(plan.runtime, std::span(&stream, 1), true, execution);
    benchmark::DoNotOptimize(execution.makespan);
  }
  state.counters["operations"] = static_cast<double>(graph.size());
  state.counters["segments"] = static_cast<double>(execution.timeline.size());
}
BENCHMARK_CAPTURE(one_step, inception_greedy, "heteropim-inception-v3", "hetero-pim")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(one_step, inception_lookahead, "heteropim-inception-v3", "lookahead")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
