#pragma once

#include <cstdint>

#include "workload/training/tape.h"

namespace pimsweep::workload::training {

/// Mean of sparse_softmax_cross_entropy_with_logits over all rows of `logits`.
ValueIndex softmax_loss(Tape& tape, ValueIndex logits);

/// Mean of sigmoid_cross_entropy_with_logits; `targets` has the shape of `logits`.
ValueIndex sigmoid_loss(Tape& tape, ValueIndex logits, ValueIndex targets);

/// Mean of tf.nn.nce_loss: of `classes` classes each row of `features` meets its own and `sampled` random ones, which
/// are the same for all rows. The weights and biases of the classes are variables of the loss.
ValueIndex nce_loss(Tape& tape, ValueIndex features, std::int64_t classes, std::int64_t sampled);

/// `loss` with half the squared length of every trainable weight matrix and kernel, times a constant, added.
ValueIndex with_weight_decay(Tape& tape, ValueIndex loss);

}  // namespace pimsweep::workload::training
