#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "base/hash.h"
#include "workload/model_library.h"
#include "workload/training/assembly.h"
#include "workload/training/training_graph.h"
#include "workload/training/updates.h"

namespace pimsweep::workload::training {

enum class Loss : std::uint8_t { softmax, nce };

/// Training configuration of a model. The defaults are a plain step of TensorFlow 1.x.
struct TrainingStep {
  /// Only the forward operations of `model`; loss, gradients and updates do not apply.
  bool inference = false;
  /// A model of configs/models, or an imported network.
  std::string model;
  /// Size of the input of `model`, and of that of its adversary.
  InputSize size;
  /// The discriminator for the outputs of `model`; empty if `model` has a loss of its own.
  std::string adversary;
  /// With an adversary: the step trains the discriminator, which sees real and generated inputs, rather than the
  /// generator.
  bool trains_adversary = false;
  std::int64_t batch = 32;
  Loss loss = Loss::softmax;
  /// Classes that the nce loss samples for each batch.
  std::int64_t sampled_classes = 64;
  Optimizer optimizer = Optimizer::gradient_descent;
  Layout layout = Layout::tensorflow;
  bool fused_batch_norm = true;
  /// Fully connected layers add their bias by Add instead of BiasAdd.
  bool plain_linear_bias = false;
  /// A Relu follows the last layer.
  bool output_relu = false;
  /// All gradients of an operation, needed or not, are computed before any of them is read (GATE_OP).
  bool gate_gradients = false;
  bool weight_decay = false;
  /// Gradients are clipped by their global norm.
  bool clip_gradients = false;
  /// Names or roles of the operators that dropout follows.
  std::vector<std::string> dropout;
};

/// References to all fields of a step, in their order. Does not compile if a field is missing.
template <typename Step>
auto fields_of(Step& step) {
  auto& [inference, model, size, adversary, trains_adversary, batch, loss, sampled_classes, optimizer, layout,
         fused_batch_norm, plain_linear_bias, output_relu, gate_gradients, weight_decay, clip_gradients, dropout] =
      step;
  return std::tie(inference, model, size, adversary, trains_adversary, batch, loss, sampled_classes, optimizer, layout,
                  fused_batch_norm, plain_linear_bias, output_relu, gate_gradients, weight_decay, clip_gradients,
                  dropout);
}

/// Identity of a step, as part of the identity of a point: a hash of all its fields and of the definitions of its
/// models.
Hash128 content_of(const ModelLibrary& models, const TrainingStep& step);

/// The operations of one step, or of the inference of one batch. Throws PointError if the model has operators without a
/// counterpart, does not end in one vector per row, or does not suit its adversary.
TrainingGraph training_graph(const ModelLibrary& models, const TrainingStep& step);

}  // namespace pimsweep::workload::training
