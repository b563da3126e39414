#include "workload/training/graph_cache.h"

namespace pimsweep::workload::training {

GraphCache::GraphCache(const ConfigFolders& configs) : models_(configs.models), steps_(configs.training, models_) {}

std::vector<std::string> GraphCache::names() const {
  std::vector<std::string> names = steps_.names();
  names.insert(names.end(), models_.names().begin(), models_.names().end());
  return names;
}

TrainingStep GraphCache::step(const StepChoice& choice) const {
  TrainingStep step = steps_.find(choice.name);
  step.inference = choice.inference;
  if (choice.batch > 0) step.batch = choice.batch;
  step.size = choice.size;
  return step;
}

StepChoice GraphCache::resolved(StepChoice choice) const {
  const TrainingStep own = step(choice);
  choice.batch = own.batch;
  if (choice.size == models_.own_size(own.model)) choice.size = {};
  return choice;
}

const TrainingGraph& GraphCache::graph(const StepChoice& choice) {
  return training_graphs_.get(choice, [&] { return training_graph(models_, step(choice)); });
}

Hash128 GraphCache::content(const StepChoice& choice) {
  return contents_.get(choice, [&] { return content_of(models_, step(choice)); });
}

}  // namespace pimsweep::workload::training
