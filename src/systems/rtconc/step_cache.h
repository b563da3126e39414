#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "systems/rtconc/settings.h"
#include "systems/rtconc/step_costs.h"
#include "workload/training/graph_cache.h"

namespace pimsweep::systems::rtconc {

/// A training step on a processor, with the time of each operation in each case.
struct PreparedStep {
  StepOperations operations;
  std::vector<schedule::Case> cases;
  std::unique_ptr<schedule::CostTable> costs;
};

/// Prepared steps: each is made once for a machine and used by all points.
class StepCache {
 public:
  explicit StepCache(const std::string& config_dir) : graphs_(config_dir) {}

  workload::training::GraphCache& graphs() { return graphs_; }
  const workload::training::GraphCache& graphs() const { return graphs_; }
  /// Another machine replaces what was prepared for this step before.
  const PreparedStep& prepared(const workload::training::StepChoice& choice, const Machine& machine);

 private:
  struct Entry {
    hardware::manycore::Device cpu;
    EigenCosts eigen;
    bool spins = false;
    PreparedStep step;
  };

  workload::training::GraphCache graphs_;
  std::map<workload::training::StepChoice, Entry> entries_;
};

}  // namespace pimsweep::systems::rtconc
