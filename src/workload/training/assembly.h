#pragma once

#include "workload/training/tape.h"
#include "workload/training/training_graph.h"

namespace pimsweep::workload::training {

/// The layout of maps in memory: TensorFlow's own, or the blocked one of MKL-DNN, to and from which the operations
/// InputConversion and ToTf convert (TensorFlow 1.x, core/graph/mkl_layout_pass.cc).
enum class Layout : std::uint8_t { tensorflow, mkl };

/// The graph of all recorded operations that an update or `loss` needs, as a session runs them: values tied together
/// are all computed before one is read, and an update waits for every reader of its variable.
TrainingGraph assemble(const Tape& tape, ValueIndex loss, Layout layout);

}  // namespace pimsweep::workload::training
