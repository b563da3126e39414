#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "systems/rtconc/operation_work.h"
#include "systems/rtconc/schedule/step.h"

namespace pimsweep::rtconc {

/// A training step as a scheduling problem on a processor: its dependencies, and its operations by classes of the same
/// type and size.
struct StepOperations {
  Step step;
  std::vector<OperationClass> classes;
  /// Type of each class.
  std::vector<workload::OperationType> types;
};

StepOperations step_operations(const manycore::Device& device, const EigenCosts& eigen,
                               const workload::TrainingGraph& graph);

}  // namespace pimsweep::rtconc
