#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/bounded_cache.h"
#include "base/key_hash.h"
#include "systems/rtconc/regression_model.h"
#include "systems/rtconc/schedule/step.h"
#include "systems/rtconc/settings.h"
#include "workload/training/graph_cache.h"

namespace pimsweep::systems::rtconc {

/// A training step as a scheduling problem on a processor: dependencies, and classes of operations with equal type and
/// size.
struct StepOperations {
  schedule::Step step;
  std::vector<schedule::OperationClass> classes;
  /// Type of each class.
  std::vector<workload::training::OperationType> types;
};

/// A training step on a processor with threads that are awake: the operations' `waking.each` is 0.
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
  /// References hold until many others were requested.
  const TimedStep& timed(const workload::training::StepChoice& choice, const Machine& machine);
  const PreparedStep& prepared(const workload::training::StepChoice& choice, const Machine& machine);
  /// The observations from which regressions predict this step on a machine; made by `make()` if they are missing.
  template <typename Make>
  const Observations& observed(const workload::training::StepChoice& choice, const Machine& machine,
                               const Learning& learning, Make&& make) {
    return observations_.get({{choice, machine.cpu(), machine.framework, machine.spins}, machine.clock, learning},
                             std::forward<Make>(make));
  }

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
  struct ObservationsKey {
    Key step;
    double clock;
    Learning learning;
    friend bool operator==(const ObservationsKey&, const ObservationsKey&) = default;
  };
  struct ObservationsHash {
    std::size_t operator()(const ObservationsKey& key) const {
      return combined_hash(Hash()(key.step), key.step.framework.wake, key.learning.samples, key.learning.seed);
    }
  };
  /// More than the steps of one study, with all batches of a regression model, or five models on the machines that are
  /// commonly sampled: a study returns to these with every policy. Each takes up to 1 MB.
  static constexpr std::size_t max_timed = 340;
  /// More than the steps of one study on one machine: others are quickly made of timed ones.
  static constexpr std::size_t max_steps = 16;
  /// A study returns to the same machines with every regression: those that are commonly sampled, with four numbers of
  /// samples. Each takes up to 0.4 MB.
  static constexpr std::size_t max_observations = 320;

  workload::training::GraphCache graphs_;
  BoundedCache<Key, TimedStep, Hash> timed_{max_timed};
  BoundedCache<Key, PreparedStep, Hash> steps_{max_steps};
  BoundedCache<ObservationsKey, Observations, ObservationsHash> observations_{max_observations};
};

}  // namespace pimsweep::systems::rtconc
