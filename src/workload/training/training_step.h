#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/model_library.h"
#include "workload/training/assembly.h"
#include "workload/training/training_graph.h"
#include "workload/training/updates.h"

namespace pimsweep::workload::training {

enum class Loss : std::uint8_t { softmax, nce };

/// How a network is trained. The defaults are a plain step of TensorFlow 1.x.
struct TrainingStep {
  /// Forward operations alone, of `network` alone: what is said of loss, gradients and updates does not apply.
  bool inference = false;
  /// A model of configs/models, at its default input size.
  std::string network;
  /// The network that judges what `network` makes. Empty: the network has a loss itself.
  std::string adversary;
  /// Of two adversaries the step trains this one: the judge, which sees real and made inputs, or the maker.
  bool trains_adversary = false;
  std::int64_t batch = 32;
  Loss loss = Loss::softmax;
  /// Classes that nce draws for each batch.
  std::int64_t sampled_classes = 64;
  Optimizer optimizer = Optimizer::gradient_descent;
  Layout layout = Layout::tensorflow;
  bool fused_batch_norm = true;
  /// The bias of a fully connected layer is added by Add instead of BiasAdd.
  bool plain_linear_bias = false;
  /// Relu after the last layer as well.
  bool output_relu = false;
  /// All gradients of an operation, needed or not, are computed before one is read (GATE_OP).
  bool gate_gradients = false;
  bool weight_decay = false;
  /// Gradients are clipped by their common length.
  bool clip_gradients = false;
  /// Names or roles of operators that dropout follows.
  std::vector<std::string> dropout;
};

/// The operations of one step, or of one inference of a batch. Throws PointError where the network has operators
/// without a counterpart, does not end in one vector for each row, or does not fit its adversary.
TrainingGraph training_graph(const ModelLibrary& models, const TrainingStep& step);

}  // namespace pimsweep::workload::training
