#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "systems/rtconc/operation_work.h"
#include "systems/rtconc/schedule/step.h"

namespace pimsweep::systems::rtconc {

/// A training step as a scheduling problem on a processor: dependencies, and classes of operations with equal type and
/// size.
struct StepOperations {
  schedule::Step step;
  std::vector<schedule::OperationClass> classes;
  /// Type of each class.
  std::vector<workload::training::OperationType> types;
};

StepOperations step_operations(const hardware::manycore::Device& device, const Framework& framework,
                               const workload::training::TrainingGraph& graph);

}  // namespace pimsweep::systems::rtconc
