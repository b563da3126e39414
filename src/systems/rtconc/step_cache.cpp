#include "systems/rtconc/step_cache.h"

namespace pimsweep::systems::rtconc {

const PreparedStep& StepCache::prepared(const workload::training::StepChoice& choice, const Machine& machine) {
  return steps_.get({choice, machine.cpu(), machine.framework, machine.spins}, [&] {
    PreparedStep step;
    step.operations = step_operations(machine.cpu(), machine.framework, graphs_.graph(choice));
    if (machine.spins) step.operations.classes = schedule::spinning(step.operations.classes);
    step.cases = schedule::cases_of(machine.cpu());
    step.costs = std::make_unique<schedule::CostTable>(machine.cpu(), step.operations.classes, step.cases);
    return step;
  });
}

}  // namespace pimsweep::systems::rtconc
