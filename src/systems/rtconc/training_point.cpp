#include "systems/rtconc/training_point.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "systems/rtconc/regression/regressor.h"
#include "systems/rtconc/regression_model.h"

namespace pimsweep::systems::rtconc {

namespace {

bool learns(const Point& point) {
  const auto names = regression::regressor_names();
  return std::find(names.begin(), names.end(), point.text(performance_model)) != names.end();
}

std::vector<char> too_short(const schedule::CostTable& costs, double clock) {
  std::vector<char> result(costs.classes());
  for (std::size_t c = 0; c < result.size(); ++c) result[c] = costs.at(c, 0).seconds < clock ? 1 : 0;
  return result;
}

PerformanceModel model_of(const Point& point, const Machine& machine, StepCache& steps, const PreparedStep& step) {
  const auto random = static_cast<std::uint64_t>(point.integer(seed));
  const std::vector<schedule::OperationClass>& classes = step.operations.classes;
  if (point.text(performance_model) == "exact") return known_times(*step.costs);
  if (!learns(point)) {
    const std::string& shared = point.text(sharing);
    return hill_climbing(machine.cpu, classes, step.cases, point.integer(interval),
                         shared == "both"      ? Sharing::both
                         : shared == "without" ? Sharing::without
                                               : Sharing::with,
                         point.real(time_noise), random);
  }
  std::vector<Known> known;
  for (const auto& [name, size] : learnt_steps(point, steps)) {
    const PreparedStep& learnt = steps.prepared(name, size, machine);
    known.push_back({learnt.operations.classes, learnt.costs.get(), too_short(*learnt.costs, machine.clock)});
  }
  return regression_model(machine.cpu, step.cases, known, {classes, step.costs.get(), {}},
                          {.regressor = point.text(performance_model),
                           .samples = static_cast<std::size_t>(point.integer(samples)),
                           .counter_interval = point.real(counter_interval),
                           .seed = random});
}

Scheduled run(Scheduling& scheduling, const Point& point, const TrainingPoint& training) {
  const std::string& name = point.text(policy);
  if (name == "tensorflow-default") return scheduling.tensorflow_default();
  if (name == "recommended") return scheduling.uniform(scheduling.recommended());
  if (name == "manual") return scheduling.manual();
  if (name == "moldable") return scheduling.moldable();
  if (name == "uniform") {
    const std::int64_t threads = point.integer(intra);
    const double most = training.machine.cpu.cores * training.machine.cpu.smt;
    if (static_cast<double>(threads) > most) {
      throw PointError(fmt::format("intra is {}, but the processor has {} hardware threads", threads, most));
    }
    return scheduling.uniform({point.integer(inter), threads == 0 ? scheduling.recommended().intra : threads});
  }
  schedule::StrategySet set;
  set.fixed_by_type = name != "strategy-1";
  set.co_run = name == "strategy-123" || name == "strategy-1234";
  set.hyper_threads = name == "strategy-1234";
  return scheduling.strategies(set, training.model, training.classes, point.real(avoided_slowdown));
}

std::vector<schedule::OperationClass> resizable_classes(const PreparedStep& step, bool all) {
  std::vector<schedule::OperationClass> classes = step.operations.classes;
  for (std::size_t c = 0; c < classes.size(); ++c) classes[c].resizable = all || runs_in_mkl(step.operations.types[c]);
  return classes;
}

}  // namespace

TrainingPoint::TrainingPoint(const Point& point, const Machine& on, StepCache& steps)
    : machine(on),
      step(steps.prepared(step_of(point), point.integer(batch), on)),
      classes(resizable_classes(step, point.text(resized) == "all")),
      model(model_of(point, on, steps, step)) {
  model.untimed = too_short(*step.costs, machine.clock);
  Scheduling scheduling(step, machine);
  recommended = scheduling.uniform(scheduling.recommended());
  scheduled = run(scheduling, point, *this);
}

std::vector<std::pair<std::string, std::int64_t>> learnt_steps(const Point& point, const StepCache& steps) {
  std::vector<std::pair<std::string, std::int64_t>> result;
  if (!learns(point)) return result;
  const std::string asked = step_of(point);
  const std::int64_t asked_batch = point.integer(batch) == 0 ? steps.batch(asked) : point.integer(batch);
  for (const char* name : {"rtconc-resnet-50", "rtconc-dcgan", "rtconc-inception-v3"}) {
    for (const std::int64_t size : {16, 32, 64, 128, 256}) {
      if (name != asked || size != asked_batch) result.emplace_back(name, size);
    }
  }
  return result;
}

}  // namespace pimsweep::systems::rtconc
