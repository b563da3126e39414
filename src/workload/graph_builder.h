#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "workload/operator_graph.h"

namespace pimsweep::workload {

/// Builds an operator graph from operators whose output shapes, products and parameters it derives from their inputs.
class GraphBuilder {
 public:
  /// The stage and block of the operators that follow (0: outside).
  void enter(std::int64_t stage, std::int64_t block);

  const Tensor& output(OperatorId id) const { return graph_.at(id).output; }

  OperatorId input(std::vector<std::int64_t> shape, std::string_view role);
  /// Projects the channels of `x` to `outputs` channels.
  OperatorId linear(OperatorId x, std::int64_t outputs, std::string_view role, bool bias = true);
  /// Convolution of the feature map(s) {..., height, width, channels} to `outputs` channels, with a bias.
  OperatorId convolution(OperatorId x, std::int64_t outputs, const ConvolutionWindow& window, std::string_view role);
  /// Scale and shift for each channel.
  OperatorId layer_norm(OperatorId x, std::string_view role);
  OperatorId softmax(OperatorId x);
  OperatorId gelu(OperatorId x);
  OperatorId add(OperatorId a, OperatorId b, std::string_view role);
  /// Adds a learned tensor of `parameters` values (a position embedding, a bias table).
  OperatorId add_learned(OperatorId x, std::int64_t parameters, std::string_view role);
  /// Mean over all tokens: {1, channels}.
  OperatorId mean_tokens(OperatorId x);
  /// `inputs` and `learned` learned values joined into `shape`.
  OperatorId concat(const std::vector<OperatorId>& inputs, std::vector<std::int64_t> shape, std::string_view role,
                    std::int64_t learned = 0);
  OperatorId roll(OperatorId x);
  /// Moves data without computing: slice, reshape, pad, crop or gather.
  OperatorId move(OperatorKind kind, OperatorId x, std::vector<std::int64_t> shape, std::string_view role);

  /// Q K^T for each head: {..., queries, C} and {..., keys, C} to {groups x heads, queries, keys}.
  OperatorId scores(OperatorId q, OperatorId k, std::int64_t heads);
  /// P V for each head: {groups x heads, queries, keys} and {..., keys, C} to the shape {..., queries, C} of the
  /// queries.
  OperatorId context(OperatorId p, OperatorId v, std::int64_t heads, std::vector<std::int64_t> shape);

  OperatorGraph take() { return std::move(graph_); }

 private:
  OperatorId place(Operator node, const std::vector<OperatorId>& inputs, std::string_view role);

  OperatorGraph graph_;
  std::int64_t stage_ = 0;
  std::int64_t block_ = 0;
  std::string prefix_;
  /// How often each role was used within the current block, to keep names unique.
  std::unordered_map<std::string, int> uses_;
};

}  // namespace pimsweep::workload
