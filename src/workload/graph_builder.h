#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "workload/operator_graph.h"

namespace pimsweep::workload {

/// Builds an operator graph. Each function adds one operator, derives its output shape, GEMM and parameters from its
/// inputs, and returns its id for use as an input of later operators. Names consist of stage, block and role:
///
///     GraphBuilder builder;
///     OperatorId x = builder.input({224, 224, 3}, "image");
///     builder.enter(1, 1);
///     x = builder.convolution(x, 64, {.kernel = 3, .padding = 1}, "conv");
///     x = builder.activation(x, "relu");
///     const OperatorGraph graph = builder.take();
///
/// Functions expect inputs of suitable rank and size; families check their parameters before they build. Throws
/// OverflowError if the total multiply-accumulates or output elements exceed 64-bit counts.
class GraphBuilder {
 public:
  /// Sets the stage and block of the following operators; 0 means none.
  void enter(std::int64_t stage, std::int64_t block);
  /// Sets stage and block, with a separate prefix for names.
  void enter(std::int64_t stage, std::int64_t block, std::string prefix);

  /// Names the next operator; the default name is made of stage, block and role. A number makes a name unique.
  void call_next(std::string name) { name_ = std::move(name); }

  /// Sets the bits in which weights of the following linear operators are stored; 0 (the default): not quantized.
  void store_weights_in(double bits) { weight_bits_ = bits; }

  const Tensor& output(OperatorId id) const { return graph_.at(id).output; }

  OperatorId input(std::vector<std::int64_t> shape, std::string_view role);
  /// Looks up one of `entries` rows of `channels` learned values for each token of `x` {tokens, 1}.
  OperatorId embedding(OperatorId x, std::int64_t entries, std::int64_t channels, std::string_view role);
  /// Projects the channels of `x` to `outputs` channels.
  OperatorId linear(OperatorId x, std::int64_t outputs, std::string_view role, bool bias = true);
  /// Linear operator selected from several, such as an expert; the others have `idle` parameters.
  OperatorId chosen_linear(OperatorId x, std::int64_t outputs, std::int64_t idle, std::string_view role,
                           std::int64_t biases = 0);
  /// Multiplies `x` by each row of the table of an earlier embedding.
  OperatorId linear_by_table(OperatorId x, OperatorId table, std::string_view role);
  /// A linear operator with the weights and the bias of an earlier one.
  OperatorId linear_again(OperatorId x, OperatorId earlier, std::string_view role);
  /// Convolution of the feature maps {..., height, width, channels} to `outputs` channels.
  OperatorId convolution(OperatorId x, std::int64_t outputs, const ConvolutionWindow& window, std::string_view role,
                         bool bias = true);
  /// Transposed convolution to a map of size `map`, which a convolution with the same window would reduce to the size
  /// of `x`.
  OperatorId transposed_convolution(OperatorId x, std::int64_t outputs, const ConvolutionWindow& window,
                                    const Extent& map, std::string_view role, bool bias = true);
  /// Layer or batch normalization, with a learned scale and offset per channel.
  OperatorId layer_norm(OperatorId x, std::string_view role);
  /// Layer normalization with `parameters` learned values.
  OperatorId layer_norm(OperatorId x, std::string_view role, std::int64_t parameters);
  OperatorId batch_norm(OperatorId x, std::string_view role);
  /// RMS normalization, with a learned scale per channel. Its role is "rms_norm"; `name` replaces the role in its name.
  OperatorId rms_norm(OperatorId x, std::string_view name);
  /// An operator without parameters whose output has the shape of `x` (response_norm, softmax, roll).
  OperatorId same_shape(OperatorKind kind, OperatorId x, std::string_view role);
  OperatorId softmax(OperatorId x) { return same_shape(OperatorKind::softmax, x, "softmax"); }
  /// An element-wise function: "relu", "silu", ...
  OperatorId activation(OperatorId x, std::string_view function) {
    return same_shape(OperatorKind::activation, x, function);
  }
  /// Max or average pooling of a feature map.
  OperatorId pool(OperatorKind kind, OperatorId x, const ConvolutionWindow& window, std::string_view role);
  OperatorId add(OperatorId a, OperatorId b, std::string_view role);
  /// Adds a learned tensor of `parameters` values (a position embedding, a bias table).
  OperatorId add_learned(OperatorId x, std::int64_t parameters, std::string_view role);
  /// Scales `x` by one factor per element or per channel.
  OperatorId multiply(OperatorId x, OperatorId factors, std::string_view role);
  /// Mean over all tokens or positions, as {1, channels}.
  OperatorId global_pool(OperatorId x, std::string_view role);
  /// Joins `inputs`, and `learned` learned values, into a tensor of the given shape.
  OperatorId concat(const std::vector<OperatorId>& inputs, std::vector<std::int64_t> shape, std::string_view role,
                    std::int64_t learned = 0);
  /// Concatenates tensors of equal size along their channels.
  OperatorId join_channels(const std::vector<OperatorId>& inputs, std::string_view role);
  OperatorId roll(OperatorId x) { return same_shape(OperatorKind::roll, x, "shift"); }
  /// Moves data without computing: slice, reshape, pad, crop or gather.
  OperatorId move(OperatorKind kind, OperatorId x, std::vector<std::int64_t> shape, std::string_view role);

  /// Batched GEMM of two tensors of matrices: {batch, rows, inner} by {batch, inner, columns}.
  OperatorId matmul(OperatorId left, OperatorId right, std::string_view role);
  /// Q K^T for each head: from {..., queries, C} and {..., keys, C} to {groups x heads, queries, keys}. With fewer key
  /// heads, the queries of several heads are the rows of one GEMM.
  OperatorId scores(OperatorId q, OperatorId k, std::int64_t heads, std::int64_t kv_heads);
  OperatorId scores(OperatorId q, OperatorId k, std::int64_t heads) { return scores(q, k, heads, heads); }
  /// P V for each head: from {groups x heads, queries, keys} and {..., keys, C} to the shape {..., queries, C} of the
  /// queries.
  OperatorId context(OperatorId p, OperatorId v, std::int64_t heads, std::vector<std::int64_t> shape,
                     std::int64_t kv_heads);
  OperatorId context(OperatorId p, OperatorId v, std::int64_t heads, std::vector<std::int64_t> shape) {
    return context(p, v, heads, std::move(shape), heads);
  }

  OperatorGraph take() { return std::move(graph_); }

 private:
  /// Makes a GEMM and counts its multiply-accumulates in floating point, since the integer product may overflow.
  MatrixProduct product(std::int64_t batch, std::int64_t rows, std::int64_t inner, std::int64_t columns);
  /// A linear operator without its learned values.
  Operator linear_product(OperatorId x, std::int64_t outputs);
  OperatorId normalize(OperatorKind kind, OperatorId x, std::string_view role, std::int64_t parameters);
  /// The name itself at its first use, afterwards with a number.
  std::string unique(std::string name);
  OperatorId place(Operator node, const std::vector<OperatorId>& inputs, std::string_view role);

  OperatorGraph graph_;
  /// Total multiply-accumulates so far.
  double macs_ = 0;
  /// Total output elements so far.
  double elements_ = 0;
  /// Name of the next operator; empty for a name made of stage, block and role.
  std::string name_;
  double weight_bits_ = 0;
  std::int64_t stage_ = 0;
  std::int64_t block_ = 0;
  std::string prefix_;
  /// Number of uses of each name, to keep names unique.
  std::unordered_map<std::string, int> uses_;
};

}  // namespace pimsweep::workload
