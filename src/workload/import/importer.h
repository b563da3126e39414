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

/// What is known about a tensor of the file while its nodes are read.
struct TensorValue {
  Shape shape;
  /// The dimension that holds the channels; the rank where there are none, as in a sequence of words.
  std::size_t channel = 0;
  /// The operator that writes it; none for what does not depend on the network's input.
  std::optional<DraftId> draft;
  /// Its elements, where shapes may be computed from them; empty if they are not known.
  std::vector<double> numbers;
  bool is_floating = true;
  /// The learned tensors that it is made of.
  std::vector<std::size_t> weights;

  bool is_active() const { return draft.has_value(); }
  /// Known elements, or a tensor that never has some.
  bool has_numbers() const { return !numbers.empty(); }
};

/// A learned tensor, whose elements are counted where it is used first.
struct LearnedTensor {
  std::int64_t elements = 0;
  /// Counts only where an operator uses it as weights: a single number, or a node of its own, as masks and other tables
  /// are that nothing trains.
  bool counts_as_weights_only = false;
  bool counted = false;
};

/// Where the first dimension of a network's input is found again in other tensors, as the slowest part of one of their
/// dimensions.
struct SampleAxes {
  /// Its extent in the file; 1 where the file leaves it open.
  std::int64_t extent = 1;
  std::unordered_map<std::string, std::size_t> axes;
};

/// The state of an import: tensors by name, and the operators so far.
struct ImportState {
  std::int64_t opset = 0;
  /// Where one sample is taken of a batch that shapes in the file contain.
  const SampleAxes* samples = nullptr;
  std::unordered_map<std::string, TensorValue> values;
  std::vector<LearnedTensor> learned;
  DraftGraph drafts;
  /// Elements of `numbers` that are held, against a bound.
  std::size_t held_numbers = 0;
  /// Recurrent layers so far.
  std::int64_t recurrent_layers = 0;
};

/// One node while its rule is at work: what it reads, and what the rule makes of it. All members throw Refusal for what
/// the file lacks.
class NodeCall {
 public:
  NodeCall(ImportState& state, const OnnxNode& node, std::string name);

  const OnnxNode& node() const { return node_; }
  std::int64_t opset() const { return state_.opset; }
  ImportState& state() { return state_; }
  const ImportState& state() const { return state_; }
  const LearnedTensor& learned(std::size_t id) const { return state_.learned[id]; }
  /// The first output, once the rule has given it.
  const TensorValue& given() const;

  std::size_t inputs() const { return inputs_.size(); }
  bool has(std::size_t input) const { return input < inputs_.size() && inputs_[input] != nullptr; }
  const TensorValue& in(std::size_t input) const;
  const Shape& shape(std::size_t input) const { return in(input).shape; }
  bool is_active(std::size_t input) const { return has(input) && in(input).is_active(); }
  bool any_active() const;
  /// The elements of an input that must be constant.
  const std::vector<double>& numbers(std::size_t input) const;
  std::vector<std::int64_t> integers(std::size_t input) const;

  bool has_attribute(std::string_view key) const { return node_.attributes.find(key) != node_.attributes.end(); }
  std::int64_t attribute(std::string_view key, std::int64_t otherwise) const;
  std::vector<std::int64_t> attribute(std::string_view key, const std::vector<std::int64_t>& otherwise) const;
  std::string attribute(std::string_view key, const std::string& otherwise) const;
  /// Axes and the like, which are an attribute in old operator sets and an input in new ones.
  std::optional<std::vector<std::int64_t>> setting(std::string_view key, std::size_t input) const;

  /// Elements of an input's learned tensors that no operator has counted before. A constant node counts as learned only
  /// where `as_weights`.
  std::int64_t take_parameters(std::size_t input, bool as_weights);
  /// Counts the learned matrix or the kernels at an input, once.
  void count_weights(Operator& op, std::size_t input);

  /// The draft of an input; one that does not depend on the network's input becomes an input of the graph.
  DraftId draft(std::size_t input);
  /// The draft of an input with another dimension as channels, which moves data if their order differs.
  DraftId laid_out(std::size_t input, std::size_t channel);
  /// The draft itself if its output has this shape, else a reshape of it.
  DraftId view(DraftId draft, const Tensor& tensor, std::string_view role = "reshape");
  /// Copies of elements to a larger shape; the draft of the input if it has that shape.
  DraftId expanded(std::size_t input, const Shape& shape, std::size_t channel);

  DraftId add(Operator op, const std::vector<DraftId>& inputs);
  DraftId add(OperatorKind kind, std::string_view role, Tensor output, const std::vector<DraftId>& inputs);

  /// The value of an output that a draft writes. A reshape is added if the draft's output has another shape.
  void give(std::size_t output, DraftId draft, Shape shape, std::size_t channel);
  /// The value of an output that is an input under another shape.
  void give_alias(std::size_t input, Shape shape, std::size_t channel);
  /// The value of an output that does not depend on the network's input.
  void give_constant(std::size_t output, Shape shape, std::vector<double> numbers = {}, bool is_floating = false);
  /// An operator of one input that moves or maps data; constant if the input is.
  void map(OperatorKind kind, std::string_view role, Shape shape, std::size_t channel, std::size_t output = 0);
  /// An operator whose output has the shape of its first input.
  void map_same(OperatorKind kind, std::string_view role, std::int64_t parameters = 0);

 private:
  ImportState& state_;
  const OnnxNode& node_;
  std::string name_;
  std::vector<const TensorValue*> inputs_;
};

/// A GEMM with checked counts: throws Refusal if its multiply-accumulates exceed 64-bit integers.
MatrixProduct checked_product(std::int64_t batch, std::int64_t rows, std::int64_t inner, std::int64_t columns);

}  // namespace pimsweep::workload::import
