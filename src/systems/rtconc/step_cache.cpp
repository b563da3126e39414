#include "systems/rtconc/step_cache.h"

namespace pimsweep::systems::rtconc {

std::vector<schedule::OperationClass> woken_classes(const TimedStep& step, const Machine& machine) {
  std::vector<schedule::OperationClass> classes = step.operations.classes;
  for (schedule::OperationClass& one : classes) one.waking.each = machine.framework.wake;
  return machine.spins ? schedule::spinning(classes) : classes;
}

const TimedStep& StepCache::timed(const workload::training::StepChoice& choice, const Machine& machine) {
  Framework framework = machine.framework;
  framework.wake = 0;
  return timed_.get({choice, machine.cpu(), framework, false}, [&] {
    TimedStep step;
    step.operations = step_operations(machine.cpu(), framework, graphs_.graph(choice));
    step.cases = schedule::cases_of(machine.cpu());
    step.times = std::make_unique<schedule::RunTimes>(machine.cpu(), step.operations.classes, step.cases);
    return step;
  });
}

const PreparedStep& StepCache::prepared(const workload::training::StepChoice& choice, const Machine& machine) {
  return steps_.get({choice, machine.cpu(), machine.framework, machine.spins}, [&] {
    const TimedStep& timed_step = timed(choice, machine);
    PreparedStep step{timed_step.operations, timed_step.cases, nullptr};
    step.operations.classes = woken_classes(timed_step, machine);
    step.costs =
        std::make_unique<schedule::CostTable>(machine.cpu(), step.operations.classes, step.cases, *timed_step.times);
    return step;
  });
}

}  // namespace pimsweep::systems::rtconc
