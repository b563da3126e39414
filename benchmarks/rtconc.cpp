#include <benchmark/benchmark.h>

#include "sweep/hardware_file.h"
#include "systems/rtconc/scheduling.h"

// A training step under the runtime's strategies and under TensorFlow's executor, times of operations known: what a
// design point costs once its step is prepared (docs/rtconc.md). Needs the source tree's root as working directory.

namespace {

using namespace pimsweep::sweep;
using namespace pimsweep::systems::rtconc::schedule;
using namespace pimsweep::systems::rtconc;
using namespace pimsweep::systems;
using namespace pimsweep;

Machine machine(const StepCache& steps) {
  const Schema schema = make_schema(steps.names(), steps.models());
  const HardwareFile hardware = load_hardware("rtconc-xeon-phi-7250", schema, "configs");
  const std::string prefix = "hardware.";
  Point point(schema.axes.size());
  for (std::size_t i = 0; i < schema.axes.size(); ++i) {
    const Axis& axis = schema.axes[i];
    if (i == waiting) point.set(i, &*axis.default_value);
    if (axis.name.rfind(prefix, 0) != 0) continue;
    point.set(i, &hardware.constants.at(axis.name.substr(prefix.size())).value);
  }
  return MachineReader(schema)(point);
}

void schedule(benchmark::State& state, const char* name, const StrategySet& set) {
  static StepCache steps("configs");
  static const Machine phi = machine(steps);
  const PreparedStep& step = steps.prepared(name, 0, phi);
  const std::vector<OperationClass>& classes = step.operations.classes;
  const PerformanceModel model = hill_climbing(phi.cpu, classes, step.cases, 4, Sharing::both, 0, 1);
  Board board(phi.cpu, step.operations.step, classes);
  for (auto _ : state) {
    Strategies policy(*step.costs, model.prediction, classes, set);
    benchmark::DoNotOptimize(simulate(board, policy, {.dispatch = phi.dispatch, .changes = true}).seconds);
  }
  state.counters["operations"] = static_cast<double>(step.operations.step.size());
}

BENCHMARK_CAPTURE(schedule, inception_v3_strategy_12, "rtconc-inception-v3", StrategySet{true, false, false})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(schedule, inception_v3_strategy_1234, "rtconc-inception-v3", StrategySet{true, true, true})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(schedule, resnet_50_strategy_1234, "rtconc-resnet-50", StrategySet{true, true, true})
    ->Unit(benchmark::kMillisecond);

void prepare(benchmark::State& state, const char* name) {
  static StepCache steps("configs");
  Machine phi = machine(steps);
  for (auto _ : state) {
    // Another clock: everything is made anew but the graph.
    phi.cpu.clock += 1;
    benchmark::DoNotOptimize(&steps.prepared(name, 0, phi));
  }
}

BENCHMARK_CAPTURE(prepare, inception_v3, "rtconc-inception-v3")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
