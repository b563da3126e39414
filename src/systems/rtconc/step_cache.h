#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/bounded_cache.h"
#include "systems/rtconc/settings.h"
#include "systems/rtconc/step_costs.h"
#include "workload/training/graph_cache.h"

namespace pimsweep::systems::rtconc {

/// A training step on a processor, whatever it takes to wake threads there: the operations' `waking.each` is 0.
struct TimedStep {
  StepOperations operations;
  std::vector<schedule::Case> cases;
  std::unique_ptr<schedule::RunTimes> times;
};

/// The operations of the step with threads that are woken as on this machine.
std::vector<schedule::OperationClass> woken_classes(const TimedStep& step, const Machine& machine);

/// A training step on a machine, with the time of each operation in each case.
struct PreparedStep {
  StepOperations operations;
  std::vector<schedule::Case> cases;
  std::unique_ptr<schedule::CostTable> costs;
};

/// Steps prepared for machines, shared by points.
class StepCache {
 public:
  explicit StepCache(const ConfigFolders& configs) : graphs_(configs) {}

  workload::training::GraphCache& graphs() { return graphs_; }
  const workload::training::GraphCache& graphs() const { return graphs_; }
  /// References hold until many others were asked for.
  const TimedStep& timed(const workload::training::StepChoice& choice, const Machine& machine);
  const PreparedStep& prepared(const workload::training::StepChoice& choice, const Machine& machine);

 private:
  struct Key {
    workload::training::StepChoice choice;
    hardware::manycore::Device cpu;
    Framework framework;
    bool spins;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return workload::training::StepChoiceHash()(key.choice); }
  };
  /// More than the steps of one study, with all batches of a regression model.
  static constexpr std::size_t max_steps = 64;

  workload::training::GraphCache graphs_;
  BoundedCache<Key, TimedStep, Hash> timed_{max_steps};
  BoundedCache<Key, PreparedStep, Hash> steps_{max_steps};
};

}  // namespace pimsweep::systems::rtconc
