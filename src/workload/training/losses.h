#pragma once

#include <cstdint>

#include "workload/training/tape.h"

namespace pimsweep::workload::training {

/// The mean of sparse_softmax_cross_entropy_with_logits over all rows of `logits`.
ValueIndex softmax_loss(Tape& tape, ValueIndex logits);

/// The mean of sigmoid_cross_entropy_with_logits; `targets` has the shape of `logits`.
ValueIndex sigmoid_loss(Tape& tape, ValueIndex logits, ValueIndex targets);

/// The mean of tf.nn.nce_loss: each row of `features` is scored against its own class and against `sampled` random ones
/// of the `classes`, which are the same for all rows. Weights and biases of the classes are variables of the loss.
ValueIndex nce_loss(Tape& tape, ValueIndex features, std::int64_t classes, std::int64_t sampled);

/// `loss` plus weight decay: a constant times half the sum of squares of every trainable weight matrix and kernel.
ValueIndex with_weight_decay(Tape& tape, ValueIndex loss);

}  // namespace pimsweep::workload::training
