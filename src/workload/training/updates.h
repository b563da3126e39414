#pragma once

#include <cstdint>
#include <vector>

#include "workload/training/gradients.h"
#include "workload/training/tape.h"

namespace pimsweep::workload::training {

enum class Optimizer : std::uint8_t { gradient_descent, momentum, adam, rmsprop };

/// Scales all gradients so that their global norm does not exceed a bound (tf.clip_by_global_norm).
void record_clipping(Tape& tape, std::vector<VariableGradient>& gradients);

/// Records one update in place for each gradient, with the variables of the optimizer (slots). Gradient descent changes
/// only the rows of a sparse gradient; for the other optimizers the gradient is made dense first.
void record_updates(Tape& tape, Optimizer optimizer, const std::vector<VariableGradient>& gradients);

}  // namespace pimsweep::workload::training
