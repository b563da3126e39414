#include "workload/training/graph_cache.h"

namespace pimsweep::workload::training {

GraphCache::GraphCache(const std::string& config_dir)
    : models_(config_dir + "/models"), steps_(config_dir + "/training", models_) {}

std::vector<std::string> GraphCache::names() const {
  std::vector<std::string> names = steps_.names();
  names.insert(names.end(), models_.names().begin(), models_.names().end());
  return names;
}

TrainingStep GraphCache::step(const StepChoice& choice) const {
  TrainingStep step = steps_.find(choice.name);
  step.inference = choice.inference;
  if (choice.batch > 0) step.batch = choice.batch;
  return step;
}

StepChoice GraphCache::resolved(StepChoice choice) const {
  if (choice.batch == 0) choice.batch = step(choice).batch;
  return choice;
}

const TrainingGraph& GraphCache::graph(const StepChoice& choice) {
  std::optional<TrainingGraph>& graph = entries_[choice].graph;
  if (!graph) graph = training_graph(models_, step(choice));
  return *graph;
}

Hash128 GraphCache::content(const StepChoice& choice) {
  std::optional<Hash128>& content = entries_[choice].content;
  if (!content) content = content_of(models_, step(choice));
  return *content;
}

}  // namespace pimsweep::workload::training
