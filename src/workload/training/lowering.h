#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "workload/operator_graph.h"
#include "workload/training/tape.h"

namespace pimsweep::workload::training {

/// Options for lowering the operators of a network to TensorFlow operations.
struct LoweringOptions {
  std::int64_t batch = 1;
  /// FusedBatchNorm instead of moments and arithmetic (tf.nn.moments and tf.nn.batch_normalization).
  bool fused_batch_norm = true;
  /// Fully connected layers add their bias by Add (x W + b) instead of BiasAdd (tf.nn.bias_add).
  bool plain_linear_bias = false;
  /// Batch normalization by moving averages, and no dropout.
  bool inference = false;
  /// Names or roles of the operators that dropout follows.
  std::vector<std::string> dropout;
};

/// Identification of shared weights of a linear operator: stage, role, rows and columns.
using WeightsKey = std::tuple<std::int64_t, std::string, std::int64_t, std::int64_t>;
WeightsKey weights_key(const Operator& node);

/// Records the forward operations of a network for a whole batch on a tape, as TensorFlow 1.x would run them: one rule
/// per kind of operator, which records one or more operations.
///
///     Lowering lowering(tape, options, "model", true);
///     lowering.feed("image", generated);  // optional: the output of another network
///     const ValueIndex logits = lowering.lower(graph, last);
///
/// Gradients and updates are recorded afterward from the tape (gradients.h, updates.h). Operators without a counterpart
/// in TensorFlow 1.x, such as grouped convolutions, are refused before anything is recorded.
class Lowering {
 public:
  /// `scope` is the prefix of the names of operators; `trainable` applies to all variables.
  Lowering(Tape& tape, LoweringOptions options, std::string scope, bool trainable)
      : tape_(tape), options_(std::move(options)), scope_(std::move(scope)), trainable_(trainable) {}

  /// Uses `value` for the input operators with this role, instead of a placeholder.
  void feed(const std::string& role, ValueIndex value) { fed_[role] = value; }
  /// The placeholders made by lower(), by the roles of the input operators.
  const std::map<std::string, ValueIndex>& inputs() const { return inputs_; }

  /// Records all operators up to `last` and returns its output. Throws PointError that names every operator without a
  /// counterpart in TensorFlow, and every word of `dropout` that matches no operator.
  ValueIndex lower(const OperatorGraph& graph, OperatorId last);

 private:
  /// An operator with the values that it reads.
  struct Site {
    const OperatorGraph& graph;
    OperatorId id;
    const Operator& node;
    std::vector<ValueIndex> inputs;
    /// Shape of the output for the whole batch.
    Shape output;

    ValueIndex x() const { return inputs.front(); }
    OperationAttributes attributes() const { return {.window = node.window}; }
  };
  /// Lowering of the operators of one kind.
  struct Rule {
    OperatorKind kind;
    ValueIndex (Lowering::*record)(const Site& site);
    /// Checks if an operator of this kind has a counterpart; nullptr if all have.
    bool (*has_counterpart)(const OperatorGraph& graph, OperatorId id) = nullptr;
  };

  static const Rule& rule_of(OperatorKind kind);
  static void require_counterparts(const OperatorGraph& graph, const std::vector<OperatorId>& order);
  bool is_dropped(const Operator& node) const;

  // layer_lowering.cpp
  template <OperationType Type>
  ValueIndex same(const Site& site) {
    return tape_.same(Type, site.inputs);
  }
  template <OperationType Type>
  ValueIndex reshaped(const Site& site) {
    return tape_.add(Type, site.inputs, site.output, site.attributes());
  }
  ValueIndex input(const Site& site);
  ValueIndex embedding(const Site& site);
  ValueIndex linear(const Site& site);
  ValueIndex convolution(const Site& site);
  ValueIndex transposed_convolution(const Site& site);
  ValueIndex add(const Site& site);
  ValueIndex multiply(const Site& site);
  ValueIndex global_pool(const Site& site);
  ValueIndex concat(const Site& site);
  ValueIndex slice(const Site& site);
  ValueIndex reshape(const Site& site);
  ValueIndex spread(const Site& site);
  ValueIndex activation(const Site& site);
  ValueIndex batch_norm(const Site& site);
  ValueIndex inference_batch_norm(ValueIndex x, ValueIndex scale, ValueIndex offset);
  ValueIndex fused_batch_norm(ValueIndex x, ValueIndex scale, ValueIndex offset);
  ValueIndex elementary_batch_norm(ValueIndex x, ValueIndex scale, ValueIndex offset);
  void update_moving_average(std::string_view role, ValueIndex value);
  ValueIndex dropout(ValueIndex x);
  ValueIndex with_bias(const Site& site, ValueIndex x);
  Shape batched(const Tensor& tensor) const;

  // transformer_lowering.cpp
  ValueIndex layer_norm(const Site& site);
  ValueIndex attention_product(const Site& site);
  ValueIndex scores(const Site& site);
  ValueIndex context(const Site& site);
  ValueIndex split_heads(ValueIndex x, std::int64_t tokens, std::int64_t heads, std::int64_t head_channels);
  ValueIndex add_learned(const Site& site);
  ValueIndex add_position_bias(const Site& site, std::int64_t heads);
  ValueIndex join_learned(const Site& site);

  Tape& tape_;
  LoweringOptions options_;
  std::string scope_;
  bool trainable_;
  std::map<std::string, ValueIndex> fed_;
  std::map<std::string, ValueIndex> inputs_;
  /// The value of each operator lowered so far.
  std::map<OperatorId, ValueIndex> outputs_;
  /// The first part of each operator that is split.
  std::map<OperatorId, ValueIndex> splits_;
  /// Weights and bias of the layers that may share theirs.
  std::map<WeightsKey, std::pair<ValueIndex, ValueIndex>> shared_;
};

/// True if an activation function has a counterpart.
bool is_known_function(std::string_view function);

/// Records tf.nn.batch_normalization: (x - mean) / sqrt(variance) * scale + offset.
ValueIndex normalized(Tape& tape, ValueIndex x, ValueIndex mean, ValueIndex variance, ValueIndex scale,
                      ValueIndex offset);

/// Heads of the attention whose scores an operator computes or changes; 0 if there is none.
std::int64_t attention_heads(const OperatorGraph& graph, OperatorId id);

/// True if the learned values that an operator adds or joins to its input, if any, have counterparts.
bool learned_values_fit(const OperatorGraph& graph, OperatorId id);

}  // namespace pimsweep::workload::training
