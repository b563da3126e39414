#include "systems/rtconc/step_cache.h"

namespace pimsweep::systems::rtconc {

const PreparedStep& StepCache::prepared(const workload::training::StepChoice& choice, const Machine& machine) {
  const workload::training::TrainingGraph& graph = graphs_.graph(choice);
  Entry& entry = entries_[choice];
  PreparedStep& step = entry.step;
  const bool same = entry.cpu == machine.cpu() && entry.eigen == machine.eigen && entry.spins == machine.spins;
  if (step.costs != nullptr && same) return step;
  entry.cpu = machine.cpu();
  entry.eigen = machine.eigen;
  entry.spins = machine.spins;
  step.operations = step_operations(machine.cpu(), machine.eigen, graph);
  if (machine.spins) step.operations.classes = schedule::spinning(step.operations.classes);
  step.cases = schedule::cases_of(machine.cpu());
  step.costs = std::make_unique<schedule::CostTable>(machine.cpu(), step.operations.classes, step.cases);
  return step;
}

}  // namespace pimsweep::systems::rtconc
