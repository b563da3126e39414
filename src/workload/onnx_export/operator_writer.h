#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "workload/import/refusal.h"
#include "workload/operator_graph.h"

namespace pimsweep::workload::onnx_export {

using Shape = std::vector<std::int64_t>;

/// Where the channels of a tensor are in the file. With the channels first, {h, w, c} is (1, c, h, w) and {n, h, w, c}
/// is (n, c, h, w), as convolutions need them; with the channels last, {h, w, c} is (1, h, w, c), and all others keep
/// their extents.
enum class Layout : std::uint8_t { channels_last, channels_first };

/// The extents of a tensor in the file.
Shape shape_in(Layout layout, const Shape& tensor);
/// The dimension in the file of dimension `axis` of a tensor with `rank` dimensions.
std::int64_t axis_in(Layout layout, std::size_t rank, std::size_t axis);

/// The tensor of the file that an operator writes.
struct WrittenTensor {
  std::string name;
  Layout layout = Layout::channels_last;
  /// Whole numbers without the dimension of the channels, as indices of words are.
  bool is_index = false;
};

/// Weights of an operator, for those that share them.
struct WrittenWeights {
  std::string weight;
  /// Mostly none or one; a recurrent layer may have one for the input and one for the state.
  std::vector<std::string> biases;
};

/// The file so far.
struct ExportState {
  explicit ExportState(const OperatorGraph& operators) : graph(operators) {}

  const OperatorGraph& graph;
  onnx::GraphProto file;
  std::vector<WrittenTensor> written;
  std::map<OperatorId, WrittenWeights> weights;
  /// Constants by their values.
  std::map<Shape, std::string> integers;
  std::map<float, std::string> numbers;
  std::set<std::string, std::less<>> names;
  /// Extents of an operator's output that earlier slices have taken, along each dimension, and the number of elements
  /// in all.
  std::map<OperatorId, Shape> taken;
  std::map<OperatorId, std::int64_t> taken_elements;
};

struct NodeAttribute {
  std::string_view name;
  std::variant<std::int64_t, float, std::string, Shape> value;
};

/// Writes one operator as ONNX nodes, on behalf of the rule of its kind (rules.h). A rule requests inputs in the layout
/// that it needs, adds nodes, each of which returns the name of its output tensor, and hands over the last of them:
///
///     void write_softmax(OperatorWriter& w) { w.give_last(w.node("Softmax", {w.last(0)}, {{"axis",
///     std::int64_t{-1}}})); }
///
/// Operator graphs have channels last and no batch, ONNX has channels first and a batch: `last`, `map` and `in` insert
/// the transpositions. Throws import::Refusal for operators that ONNX cannot express.
class OperatorWriter {
 public:
  OperatorWriter(ExportState& state, OperatorId id);

  const Operator& op() const { return op_; }
  const Shape& output() const { return op_.output.shape; }
  std::size_t rank() const { return output().size(); }
  std::size_t inputs() const { return sources_.size(); }
  const Operator& source(std::size_t input) const { return state_.graph.at(sources_[input]); }
  const Shape& shape(std::size_t input) const { return source(input).output.shape; }
  const WrittenTensor& written(std::size_t input) const { return state_.written[sources_[input]]; }
  /// The layout of an input as it is there; `in` gives the input in another one.
  /// All that reads the operator looks up rows of a table.
  bool is_only_embedded() const;
  Layout layout(std::size_t input) const { return written(input).layout; }
  std::string in(std::size_t input, Layout layout);
  std::string last(std::size_t input) { return in(input, Layout::channels_last); }
  /// A map with its channels first.
  std::string map(std::size_t input);

  /// Adds a node; returns the name of its output.
  std::string node(std::string_view type, const std::vector<std::string>& inputs,
                   const std::vector<NodeAttribute>& attributes = {});
  std::string reshape(const std::string& tensor, const Shape& shape);

  /// Tensors without values: learned ones, and indices.
  std::string learned(std::string_view suffix, const Shape& shape);
  std::string indices(std::string_view suffix, const Shape& shape);
  /// The weights of this operator, or of the earlier one whose weights it shares, with biases of `channels` elements if
  /// it has more parameters.
  WrittenWeights weights(const Shape& shape, std::int64_t channels);
  /// A learned table, whose weights others may share.
  std::string table(const Shape& shape);
  /// Constants with values.
  std::string integers(const Shape& values);
  std::string number(float value);

  /// Index of the first elements that this operator, a slice, takes of its input: those after the slices before it.
  Shape take_part();
  /// The same in a list of all elements.
  std::int64_t take_elements();

  /// Names the tensor, which must be the output of the last node, as the output of the operator.
  void give(const std::string& tensor, Layout layout);
  void give_last(const std::string& tensor) { give(tensor, Layout::channels_last); }
  /// The operator is an input of the network.
  void give_input(const Shape& shape, Layout layout, bool is_index);

 private:
  std::string unique(std::string name);
  std::string add_input(std::string name, std::int32_t type, const Shape& shape);
  WrittenWeights shared_weights();
  /// The part that is used of a matrix that holds the experts side by side.
  std::string chosen_weight(const Shape& shape);

  ExportState& state_;
  OperatorId id_;
  const Operator& op_;
  std::vector<OperatorId> sources_;
  std::string mark_;
  int first_node_;
};

}  // namespace pimsweep::workload::onnx_export
