#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "workload/import/draft.h"
#include "workload/import/onnx_model.h"
#include "workload/import/refusal.h"
#include "workload/import/shapes.h"

namespace pimsweep::workload::import {

/// Properties of a tensor of the file during the import.
struct TensorValue {
  Shape shape;
  /// Dimension of the channels; equal to the rank if there are none, as in a sequence of words.
  std::size_t channel = 0;
  /// Operator that writes the tensor; none if it does not depend on the network's input.
  std::optional<DraftId> draft;
  /// Elements, if shapes may be computed from them; empty if unknown.
  std::vector<double> numbers;
  bool is_floating = true;
  /// Learned tensors that it is composed of.
  std::vector<std::size_t> weights;

  bool is_active() const { return draft.has_value(); }
  /// True if the elements are known.
  bool has_numbers() const { return !numbers.empty(); }
};

/// Learned tensor, whose elements are counted at its first use.
struct LearnedTensor {
  std::int64_t elements = 0;
  /// Counted only if an operator uses it as weights: true for scalars and for constants with a node of their own, which
  /// may be untrained tables such as masks.
  bool counts_as_weights_only = false;
  bool counted = false;
  /// As in Operator::weight_bits.
  double quantized_bits = 0;
};

/// Location of the samples, the first dimension of a network's input, in other tensors: as the slowest-varying part of
/// one of their dimensions.
struct SampleAxes {
  /// Extent of the first dimension in the file; 1 if the file leaves it open.
  std::int64_t extent = 1;
  std::unordered_map<std::string, std::size_t> axes;
};

/// State of an import: tensors by name, and the operators so far.
struct ImportState {
  std::int64_t opset = 0;
  /// Set if one sample is taken out of a batch that the shapes in the file include.
  const SampleAxes* samples = nullptr;
  std::unordered_map<std::string, TensorValue> values;
  std::vector<LearnedTensor> learned;
  DraftGraph drafts;
  /// Total length of all `numbers`, which is limited.
  std::size_t held_numbers = 0;
  /// Number of recurrent layers so far.
  std::int64_t recurrent_layers = 0;
};

/// One node while its rule runs: gives the rule access to the node's inputs and attributes and collects the operators
/// and outputs that the rule makes. Members throw Refusal if the file lacks what they are asked for.
///
/// A rule is a function of a NodeCall, registered under its node type in rules.cpp. It must set a value for each output
/// with `give`, `give_alias`, `give_constant` or `map`:
///
///     void read_function(NodeCall& call) { call.map_same(OperatorKind::activation, function_of(call)); }
///
/// Limits: values of tensors are available only where shapes may depend on them (`numbers`), and inputs must have been
/// written by earlier nodes.
class NodeCall {
 public:
  NodeCall(ImportState& state, const OnnxNode& node, std::string name);

  const OnnxNode& node() const { return node_; }
  std::int64_t opset() const { return state_.opset; }
  ImportState& state() { return state_; }
  const ImportState& state() const { return state_; }
  const LearnedTensor& learned(std::size_t id) const { return state_.learned[id]; }
  /// First output, after the rule has set it.
  const TensorValue& given() const;

  std::size_t inputs() const { return inputs_.size(); }
  bool has(std::size_t input) const { return input < inputs_.size() && inputs_[input] != nullptr; }
  const TensorValue& in(std::size_t input) const;
  const Shape& shape(std::size_t input) const { return in(input).shape; }
  bool is_active(std::size_t input) const { return has(input) && in(input).is_active(); }
  bool any_active() const;
  /// Elements of an input; throws Refusal if they are not constant.
  const std::vector<double>& numbers(std::size_t input) const;
  std::vector<std::int64_t> integers(std::size_t input) const;

  bool has_attribute(std::string_view key) const { return node_.attributes.find(key) != node_.attributes.end(); }
  std::int64_t attribute(std::string_view key, std::int64_t otherwise) const;
  std::vector<std::int64_t> attribute(std::string_view key, const std::vector<std::int64_t>& otherwise) const;
  std::string attribute(std::string_view key, const std::string& otherwise) const;
  /// Setting, such as axes, that is an attribute in old operator sets and an input in new ones.
  std::optional<std::vector<std::int64_t>> setting(std::string_view key, std::size_t input) const;

  /// Number of elements of an input's learned tensors that no operator has counted before. A constant node counts as
  /// learned only with `as_weights`.
  std::int64_t take_parameters(std::size_t input, bool as_weights);
  /// Adds the learned matrix or the kernels at an input to the weights of `op`, once per tensor.
  void count_weights(Operator& op, std::size_t input);
  /// Bits in which an input's learned tensors are stored; 0 unless all of them are quantized.
  double quantized_bits(std::size_t input) const;

  /// Draft of an input; an input that does not depend on the network's input becomes an input of the graph.
  DraftId draft(std::size_t input);
  /// Draft of an input with dimension `channel` as its channels; adds a data movement if that changes their order.
  DraftId laid_out(std::size_t input, std::size_t channel);
  /// The draft itself if its output has this shape, otherwise a reshape of it.
  DraftId view(DraftId draft, const Tensor& tensor, std::string_view role = "reshape");
  /// Broadcast of an input to `shape`; the input's draft itself if it has that shape.
  DraftId expanded(std::size_t input, const Shape& shape, std::size_t channel);

  DraftId add(Operator op, const std::vector<DraftId>& inputs);
  DraftId add(OperatorKind kind, std::string_view role, Tensor output, const std::vector<DraftId>& inputs);

  /// Sets an output that a draft writes. Adds a reshape if the draft's output has another shape.
  void give(std::size_t output, DraftId draft, Shape shape, std::size_t channel);
  /// Sets an output that is an input with another shape.
  void give_alias(std::size_t input, Shape shape, std::size_t channel);
  /// Sets an output that does not depend on the network's input.
  void give_constant(std::size_t output, Shape shape, std::vector<double> numbers = {}, bool is_floating = false);
  /// Adds an operator that moves or maps one input; the output is constant if the input is.
  void map(OperatorKind kind, std::string_view role, Shape shape, std::size_t channel, std::size_t output = 0);
  /// Adds an operator whose output has the shape of its first input.
  void map_same(OperatorKind kind, std::string_view role, std::int64_t parameters = 0);

 private:
  ImportState& state_;
  const OnnxNode& node_;
  std::string name_;
  std::vector<const TensorValue*> inputs_;
};

/// GEMM with checked counts: throws Refusal if its multiply-accumulates exceed 64-bit integers.
MatrixProduct checked_product(std::int64_t batch, std::int64_t rows, std::int64_t inner, std::int64_t columns);

}  // namespace pimsweep::workload::import
