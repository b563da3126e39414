#pragma once

#include "workload/training/tape.h"
#include "workload/training/training_graph.h"

namespace pimsweep::workload::training {

/// The layout of feature maps in memory: TensorFlow's own, or the blocked layout of MKL-DNN, to and from which
/// InputConversion and ToTf convert (TensorFlow 1.x, core/graph/mkl_layout_pass.cc).
enum class Layout : std::uint8_t { tensorflow, mkl };

/// The graph of those recorded operations that an update or `loss` needs. As in a TensorFlow session, tied values are
/// all computed before one of them is read, and an update waits for every reader of its variable.
TrainingGraph assemble(const Tape& tape, ValueIndex loss, Layout layout);

}  // namespace pimsweep::workload::training
