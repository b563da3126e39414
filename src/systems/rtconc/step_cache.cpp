#include "systems/rtconc/step_cache.h"

namespace pimsweep::systems::rtconc {

const workload::training::TrainingGraph& StepCache::graph(const Key& key) {
  std::unique_ptr<PreparedStep>& entry = prepared_[key];
  if (entry == nullptr) {
    workload::training::TrainingStep step = steps_.find(key.first);
    if (key.second != 0) step.batch = key.second;
    auto made = std::make_unique<PreparedStep>();
    made->graph = workload::training::training_graph(models_, step);
    made->batch = step.batch;
    entry = std::move(made);
  }
  return entry->graph;
}

const PreparedStep& StepCache::prepared(const std::string& step, std::int64_t batch, const Machine& machine) {
  graph({step, batch});
  PreparedStep& entry = *prepared_.at({step, batch});
  const bool same = entry.cpu == machine.cpu && entry.eigen == machine.eigen && entry.spins == machine.spins;
  if (entry.costs == nullptr || !same) {
    entry.cpu = machine.cpu;
    entry.eigen = machine.eigen;
    entry.spins = machine.spins;
    entry.operations = step_operations(machine.cpu, machine.eigen, entry.graph);
    if (machine.spins) entry.operations.classes = schedule::spinning(entry.operations.classes);
    entry.cases = schedule::cases_of(machine.cpu);
    entry.costs = std::make_unique<schedule::CostTable>(machine.cpu, entry.operations.classes, entry.cases);
  }
  return entry;
}

Hash128 StepCache::content(const std::string& step, std::int64_t batch) {
  const Key key{step, batch};
  if (const auto found = contents_.find(key); found != contents_.end()) return found->second;
  const workload::training::TrainingGraph& made = graph(key);
  std::string text;
  for (workload::training::OperationIndex i = 0; i < made.size(); ++i) {
    const workload::training::TrainingOperation& operation = made.at(i);
    text += workload::training::name_of(operation.type);
    for (const std::int64_t number : {operation.work.multiplications, operation.work.additions, operation.work.others,
                                      operation.bytes_read, operation.bytes_written}) {
      text += ' ' + std::to_string(number);
    }
    for (const workload::training::ValueIndex input : made.inputs(i)) text += ' ' + std::to_string(input);
    for (std::uint32_t k = 0; k < operation.outputs; ++k) {
      text += made.values()[operation.first_output + k].shape.text();
    }
    for (const workload::training::OperationIndex before : made.predecessors(i)) text += ',' + std::to_string(before);
    text += '\n';
  }
  return contents_[key] = hash128(text);
}

}  // namespace pimsweep::systems::rtconc
