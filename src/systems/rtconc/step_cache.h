#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/hash.h"
#include "systems/rtconc/schema.h"
#include "systems/rtconc/step_costs.h"
#include "workload/model_library.h"
#include "workload/training/training_library.h"

namespace pimsweep::systems::rtconc {

/// A training step on a processor with the time of each of its operations in each case: made once, used by all points.
struct PreparedStep {
  workload::training::TrainingGraph graph;
  std::int64_t batch = 0;
  hardware::manycore::Device cpu;
  EigenCosts eigen;
  bool spins = false;
  StepOperations operations;
  std::vector<schedule::Case> cases;
  std::unique_ptr<schedule::CostTable> costs;
};

class StepCache {
 public:
  explicit StepCache(const std::string& config_dir)
      : models_(config_dir + "/models"), steps_(config_dir + "/training", models_) {}

  const std::vector<std::string>& names() const { return steps_.names(); }
  const std::vector<std::string>& models() const { return models_.names(); }
  /// The step's own batch.
  std::int64_t batch(const std::string& step) const { return steps_.find(step).batch; }
  /// `batch` 0: the step's own.
  const PreparedStep& prepared(const std::string& step, std::int64_t batch, const Machine& machine);
  Hash128 content(const std::string& step, std::int64_t batch);

 private:
  using Key = std::pair<std::string, std::int64_t>;
  const workload::training::TrainingGraph& graph(const Key& key);

  workload::ModelLibrary models_;
  workload::training::TrainingLibrary steps_;
  std::map<Key, std::unique_ptr<PreparedStep>> prepared_;
  std::map<Key, Hash128> contents_;
};

}  // namespace pimsweep::systems::rtconc
