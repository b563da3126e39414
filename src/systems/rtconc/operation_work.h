#pragma once

#include <string>

#include "hardware/manycore/operations.h"
#include "systems/rtconc/schedule/cost_table.h"
#include "workload/training/training_graph.h"

namespace pimsweep::systems::rtconc {

/// Eigen's estimate of the useful number of threads (TensorCostModel.h). Eigen runs most operations other than
/// convolutions.
struct EigenCosts {
  /// Cycles of work up to which Eigen runs one thread, and cycles for each further thread.
  double startup_cycles = 0;
  double thread_cycles = 0;
  /// Cycles to load or store a byte.
  double byte_cycles = 0;

  friend bool operator==(const EigenCosts&, const EigenCosts&) = default;
};

/// Overheads of the software.
struct Framework {
  EigenCosts eigen;
  /// Seconds to wake a thread that sleeps.
  double wake = 0;
  /// Seconds per byte of an operation that one thread takes, in addition to the part that its threads share.
  double serial_byte = 0;
  /// Measured seconds of all operations of a type in one step, one at a time on all cores, such as "Tile=0.107".
  std::string profile;

  friend bool operator==(const Framework&, const Framework&) = default;
};

/// True if MKL-DNN or MKL runs the operation, with all threads assigned to it; Eigen runs all other operations, with as
/// many threads as its cost model allows.
bool uses_mkl(workload::training::OperationType type);

/// The loops of one operation of a training step, without `kind` and `instances`.
schedule::OperationClass operation_class(const hardware::manycore::Operations& make,
                                         const hardware::manycore::Device& device, const Framework& framework,
                                         const workload::training::TrainingGraph& graph,
                                         workload::training::OperationIndex operation);

}  // namespace pimsweep::systems::rtconc
