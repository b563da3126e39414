#pragma once

#include "hardware/manycore/operations.h"
#include "systems/rtconc/schedule/ways.h"
#include "workload/training/training_graph.h"

namespace pimsweep::systems::rtconc {

/// What Eigen, which runs most operations other than convolutions, knows of its threads (TensorCostModel.h).
struct EigenCosts {
  /// Cycles that do not pay for a second thread, and that pay for each further one.
  double startup_cycles = 0;
  double thread_cycles = 0;
  /// Cycles to load or store a byte.
  double byte_cycles = 0;

  friend bool operator==(const EigenCosts&, const EigenCosts&) = default;
};

/// MKL-DNN or MKL run it, with all threads they are given; Eigen runs the others, with as many as pay.
bool runs_in_mkl(workload::training::OperationType type);

/// The loops of one operation of a training step. `kind` and `instances` are left open.
schedule::OperationClass operation_class(const hardware::manycore::Operations& make,
                                         const hardware::manycore::Device& device, const EigenCosts& eigen,
                                         const workload::training::TrainingGraph& graph,
                                         workload::training::OperationIndex operation);

}  // namespace pimsweep::systems::rtconc
