#pragma once

#include "workload/training/tape.h"
#include "workload/training/training_graph.h"

namespace pimsweep::workload::training {

/// Layout of feature maps in memory: TensorFlow's own, or the blocked layout of MKL-DNN; InputConversion and ToTf
/// convert between them (TensorFlow 1.x, core/graph/mkl_layout_pass.cc).
enum class Layout : std::uint8_t { tensorflow, mkl };

/// The graph of the recorded operations that an update or `loss` needs. As in a TensorFlow session, tied values are all
/// computed before any of them is read, and an update waits for every reader of its variable.
TrainingGraph assemble(const Tape& tape, ValueIndex loss, Layout layout);

}  // namespace pimsweep::workload::training
