#include "systems/rtconc/training_run.h"

#include "systems/rtconc/policies.h"
#include "systems/rtconc/regression_model.h"

namespace pimsweep::systems::rtconc {

namespace {

using Method = Predictor::Method;

/// The operations of a step as the regression knows them.
Known known_of(const TimedStep& step, const Machine& machine) {
  Known known{.classes = woken_classes(step, machine), .times = step.times.get(), .untimed = {}};
  for (std::size_t c = 0; c < known.classes.size(); ++c) {
    const double seconds = schedule::seconds_of(known.classes[c], step.cases[0], step.times->at(c, 0));
    known.untimed.push_back(seconds < machine.clock ? 1 : 0);
  }
  return known;
}

/// For each class, 1 if the operation takes less than the resolution of the clock on one thread.
std::vector<char> untimed_classes(const schedule::CostTable& costs, double clock) {
  std::vector<char> result(costs.classes());
  for (std::size_t c = 0; c < result.size(); ++c) result[c] = costs.at(c, 0).seconds < clock ? 1 : 0;
  return result;
}

PerformanceModel learned_model(const Settings& settings, StepCache& steps, const PreparedStep& step) {
  const Machine& machine = settings.machine;
  // The profile is that of the step to predict.
  Machine unprofiled = machine;
  unprofiled.framework.profile.clear();
  std::vector<Known> known;
  for (const workload::training::StepChoice& choice : learned_steps(settings)) {
    known.push_back(known_of(steps.timed(choice, machine), unprofiled));
  }
  const Learning learning{
      .samples = settings.samples, .counter_interval = settings.counter_interval, .seed = settings.seed};
  const Observations& observed = steps.observed(settings.model, machine, learning, [&] {
    const Known wanted = known_of(steps.timed(settings.model, machine), machine);
    return observe(machine.cpu(), step.cases, known, wanted, learning);
  });
  const auto regressor = settings.predictor.make_regressor(settings.seed);
  return regression_model(*regressor, step.cases, known, observed);
}

PerformanceModel model_of(const Settings& settings, StepCache& steps, const PreparedStep& step) {
  switch (settings.predictor.method) {
    case Method::exact:
      return known_times(*step.costs);
    case Method::regression:
      return learned_model(settings, steps, step);
    case Method::hill_climbing:
      break;
  }
  return hill_climbing(settings.machine.cpu(), *step.costs, step.cases, settings.interval, settings.sharing,
                       settings.time_noise, settings.seed);
}

/// The step's classes; the resizable ones are those for which the point lets the strategies choose threads.
std::vector<schedule::OperationClass> resizable_classes(const PreparedStep& step, bool all) {
  std::vector<schedule::OperationClass> classes = step.operations.classes;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    classes[c].resizable = all || uses_mkl(step.operations.types[c]);
  }
  return classes;
}

}  // namespace

TrainingRun run_training(const Settings& settings, StepCache& steps) {
  const PreparedStep& step = steps.prepared(settings.model, settings.machine);
  TrainingRun run{.step = step, .model = model_of(settings, steps, step), .recommended = {}, .scheduled = {}};
  run.model.untimed = untimed_classes(*step.costs, settings.machine.clock);
  Scheduling scheduling(step, settings.machine);
  run.recommended = scheduling.uniform(scheduling.recommended());
  const std::vector<schedule::OperationClass> classes = resizable_classes(step, settings.resizes_all);
  run.scheduled = settings.policy->choose(scheduling, {.settings = settings, .classes = classes, .model = run.model});
  return run;
}

std::vector<workload::training::StepChoice> learned_steps(const Settings& settings) {
  std::vector<workload::training::StepChoice> result;
  if (settings.predictor.method != Method::regression) return result;
  for (const char* name : {"rtconc-resnet-50", "rtconc-dcgan", "rtconc-inception-v3"}) {
    for (const std::int64_t batch : {16, 32, 64, 128, 256}) {
      const workload::training::StepChoice choice{.name = name, .batch = batch};
      if (choice != settings.model) result.push_back(choice);
    }
  }
  return result;
}

}  // namespace pimsweep::systems::rtconc
