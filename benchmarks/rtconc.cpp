#include "systems/rtconc/rtconc.h"

#include <benchmark/benchmark.h>

#include "sweep/hardware_file.h"
#include "systems/rtconc/axes.h"
#include "systems/rtconc/scheduling.h"

// A training step under the runtime's strategies and under TensorFlow's executor, times of operations known: what a
// design point costs once its step is prepared (docs/rtconc.md). Needs the source tree's root as working directory.

namespace {

using namespace pimsweep::sweep;
using namespace pimsweep::systems::rtconc::schedule;
using namespace pimsweep::systems::rtconc;
using namespace pimsweep::systems;
using namespace pimsweep;

/// The machine of hardware "rtconc-xeon-phi-7250".
Machine machine() {
  const AxisTable<Settings> axes = make_axes({"rtconc-resnet-50"});
  const std::unique_ptr<System> system = make_rtconc("configs");
  const HardwareFile hardware = load_hardware("rtconc-xeon-phi-7250", system->schema(), "configs");
  std::vector<Value> values;
  for (const Axis& axis : axes.axes()) {
    const std::string key = axis.name.rfind("hardware.", 0) == 0 ? axis.name.substr(9) : std::string();
    if (hardware.constants.contains(key)) {
      values.push_back(hardware.constants.at(key).value);
    } else {
      values.push_back(axis.default_value ? *axis.default_value : Value{axis.choices.front()});
    }
  }
  Point point(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) point.set(i, &values[i]);
  return axes.read(point).machine;
}

void schedule(benchmark::State& state, const char* name, const StrategySet& set) {
  static StepCache steps("configs");
  static const Machine phi = machine();
  const PreparedStep& step = steps.prepared({.name = name}, phi);
  const std::vector<OperationClass>& classes = step.operations.classes;
  const PerformanceModel model = hill_climbing(phi.cpu(), *step.costs, step.cases, 4, Sharing::both, 0, 1);
  Board board(phi.cpu(), step.operations.step, classes);
  for (auto _ : state) {
    Strategies policy(*step.costs, model.prediction, classes, set);
    benchmark::DoNotOptimize(simulate(board, policy, {.dispatch = phi.dispatch, .changes = true}).seconds);
  }
  state.counters["operations"] = static_cast<double>(step.operations.step.size());
}

BENCHMARK_CAPTURE(schedule, inception_v3_strategy_12, "rtconc-inception-v3", StrategySet{.fixed_by_type = true})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(schedule, inception_v3_strategy_1234, "rtconc-inception-v3",
                  StrategySet{.fixed_by_type = true, .co_run = true, .hyper_threads = true})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(schedule, resnet_50_strategy_1234, "rtconc-resnet-50",
                  StrategySet{.fixed_by_type = true, .co_run = true, .hyper_threads = true})
    ->Unit(benchmark::kMillisecond);

void prepare(benchmark::State& state, const char* name) {
  static StepCache steps("configs");
  Machine phi = machine();
  for (auto _ : state) {
    // With another clock, everything except the graph is computed again.
    phi.processor.device.clock += 1;
    benchmark::DoNotOptimize(&steps.prepared({.name = name}, phi));
  }
}

BENCHMARK_CAPTURE(prepare, inception_v3, "rtconc-inception-v3")->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
