#pragma once

#include <cstdint>
#include <vector>

#include "workload/training/gradients.h"
#include "workload/training/tape.h"

namespace pimsweep::workload::training {

enum class Optimizer : std::uint8_t { gradient_descent, momentum, adam, rmsprop };

/// Scales all gradients so that they are no longer than a bound together (tf.clip_by_global_norm).
void record_clipping(Tape& tape, std::vector<VariableGradient>& gradients);

/// One update in place for each gradient, with the optimizer's own variables (slots). Gradient descent changes only the
/// rows that a sparse gradient has; for the other optimizers it is made dense first.
void record_updates(Tape& tape, Optimizer optimizer, const std::vector<VariableGradient>& gradients);

}  // namespace pimsweep::workload::training
