#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "workload/operator_graph.h"
#include "workload/training/tape.h"

namespace pimsweep::workload::training {

/// How a network's operators become TensorFlow's operations.
struct LoweringOptions {
  std::int64_t batch = 1;
  /// FusedBatchNorm, or moments and arithmetic (tf.nn.moments and tf.nn.batch_normalization).
  bool fused_batch_norm = true;
  /// The bias of a fully connected layer is added by Add (x W + b), not by BiasAdd (tf.nn.bias_add).
  bool plain_linear_bias = false;
  /// Normalisation by moving averages, and no dropout.
  bool inference = false;
  /// Names or roles of the operators that dropout follows.
  std::vector<std::string> dropout;
};

/// Records the forward operations of a network for a whole batch.
class Lowering {
 public:
  /// `scope` comes before the operators' names; the variables are trainable or not.
  Lowering(Tape& tape, LoweringOptions options, std::string scope, bool trainable)
      : tape_(tape), options_(std::move(options)), scope_(std::move(scope)), trainable_(trainable) {}

  /// A value that stands for the input operators of this role, instead of one fed.
  void feed(const std::string& role, ValueIndex value) { fed_[role] = value; }
  /// The value of each input operator that was not fed, by its role, after lower().
  const std::map<std::string, ValueIndex>& inputs() const { return inputs_; }

  /// Records all operators up to `last` and returns its output. Throws PointError that names every operator that has no
  /// counterpart here, or every word of `dropout` that fits no operator.
  ValueIndex lower(const OperatorGraph& graph, OperatorId last);

 private:
  ValueIndex record(const OperatorGraph& graph, OperatorId id);
  ValueIndex linear(const Operator& node, ValueIndex x);
  ValueIndex convolution(const Operator& node, ValueIndex x);
  ValueIndex transposed_convolution(const Operator& node, ValueIndex x);
  ValueIndex batch_norm(ValueIndex x);
  ValueIndex inference_batch_norm(ValueIndex x, ValueIndex scale, ValueIndex offset);
  ValueIndex fused_batch_norm(ValueIndex x, ValueIndex scale, ValueIndex offset);
  ValueIndex elementary_batch_norm(ValueIndex x, ValueIndex scale, ValueIndex offset);
  void update_moving_average(std::string_view role, ValueIndex value);
  ValueIndex activation(std::string_view function, ValueIndex x);
  // Those of Transformers: transformer_lowering.cpp.
  ValueIndex layer_norm(ValueIndex x);
  ValueIndex gelu(ValueIndex x);
  ValueIndex split_heads(ValueIndex x, std::int64_t tokens, std::int64_t heads, std::int64_t head_channels);
  ValueIndex scores(const OperatorGraph& graph, OperatorId id);
  ValueIndex context(const OperatorGraph& graph, OperatorId id);
  ValueIndex add_learned(const OperatorGraph& graph, OperatorId id);
  ValueIndex add_position_bias(ValueIndex x, const Operator& node, std::int64_t heads);
  ValueIndex join_learned(const Operator& node, std::vector<ValueIndex> inputs);
  ValueIndex slice(const OperatorGraph& graph, OperatorId id);
  ValueIndex dropout(ValueIndex x);
  ValueIndex bias(ValueIndex x);
  Shape batched(const Tensor& tensor) const;

  Tape& tape_;
  LoweringOptions options_;
  std::string scope_;
  bool trainable_;
  std::map<std::string, ValueIndex> fed_;
  std::map<std::string, ValueIndex> inputs_;
  /// Of each operator lowered so far.
  std::map<OperatorId, ValueIndex> outputs_;
  /// Of each source that is split: the first part.
  std::map<OperatorId, ValueIndex> splits_;
  /// Weights and bias of the layers that others share, by stage and role.
  std::map<std::pair<std::int64_t, std::string>, std::pair<ValueIndex, ValueIndex>> shared_;
};

/// Heads of the attention whose scores an operator computes or changes; 0 if it has none.
std::int64_t attention_heads(const OperatorGraph& graph, OperatorId id);

/// Whether learned values that an operator adds or joins have counterparts.
bool learned_values_fit(const OperatorGraph& graph, OperatorId id);

}  // namespace pimsweep::workload::training
