#include "workload/onnx_export/operator_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/downward.h"
#include "workload/import/operator_mark.h"

namespace pimsweep::workload::onnx_export {

namespace {

/// Makes the values of an attribute those of the given type.
struct AttributeSetter {
  onnx::AttributeProto& attribute;

  void operator()(std::int64_t value) const {
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(value);
  }
  void operator()(float value) const {
    attribute.set_type(onnx::AttributeProto::FLOAT);
    attribute.set_f(value);
  }
  void operator()(const std::string& value) const {
    attribute.set_type(onnx::AttributeProto::STRING);
    attribute.set_s(value);
  }
  void operator()(const Shape& values) const {
    attribute.set_type(onnx::AttributeProto::INTS);
    for (const std::int64_t value : values) attribute.add_ints(value);
  }
};

/// The order of dimensions that changes the layout of a tensor in the file.
Shape order_to(Layout layout, std::size_t rank) {
  if (rank != 3 && rank != 4) throw import::Refusal(fmt::format("needs a map, but has {} dimensions", rank));
  return layout == Layout::channels_first ? Shape{0, 3, 1, 2} : Shape{0, 2, 3, 1};
}

bool uses_same_weights(const Operator& a, const Operator& b) {
  return a.kind == b.kind && a.product.batch == b.product.batch && a.product.inner == b.product.inner &&
         a.product.columns == b.product.columns && a.role == b.role && a.stage == b.stage;
}

}  // namespace

Shape shape_in(Layout layout, const Shape& tensor) {
  if (tensor.size() == 3 && layout == Layout::channels_last) return {1, tensor[0], tensor[1], tensor[2]};
  if (layout == Layout::channels_last) return tensor;
  order_to(layout, tensor.size());
  if (tensor.size() == 3) return {1, tensor[2], tensor[0], tensor[1]};
  return {tensor[0], tensor[3], tensor[1], tensor[2]};
}

std::int64_t axis_in(Layout layout, std::size_t rank, std::size_t axis) {
  const std::size_t place = axis + (rank == 3 ? 1 : 0);
  if (layout == Layout::channels_last || place == 0) return static_cast<std::int64_t>(place);
  return axis + 1 == rank ? 1 : static_cast<std::int64_t>(place) + 1;
}

OperatorWriter::OperatorWriter(ExportState& state, OperatorId id)
    : state_(state),
      id_(id),
      op_(state.graph.at(id)),
      sources_(state.graph.predecessors(id)),
      mark_(import::text_of({op_.name, op_.kind, op_.role, op_.stage, op_.block, op_.output})),
      first_node_(state.file.node_size()) {
  if (!import::read_mark(mark_)) throw import::Refusal("has a name or a role that is too long for a mark");
}

bool OperatorWriter::is_only_embedded() const {
  const std::vector<OperatorId> readers = state_.graph.successors(id_);
  const auto is_embedding = [&](OperatorId id) { return state_.graph.at(id).kind == OperatorKind::embedding; };
  return !readers.empty() && rank() == 2 && output()[1] == 1 && std::ranges::all_of(readers, is_embedding);
}

std::string OperatorWriter::unique(std::string name) {
  std::string candidate = name;
  for (int use = 2; !state_.names.insert(candidate).second; ++use) candidate = fmt::format("{}.{}", name, use);
  return candidate;
}

std::string OperatorWriter::in(std::size_t input, Layout layout) {
  const WrittenTensor& tensor = written(input);
  if (tensor.is_index) throw import::Refusal("computes with the indices of words");
  if (tensor.layout == layout) return tensor.name;
  return node("Transpose", {tensor.name}, {{"perm", order_to(layout, shape(input).size())}});
}

std::string OperatorWriter::map(std::size_t input) {
  order_to(Layout::channels_first, shape(input).size());
  return in(input, Layout::channels_first);
}

std::string OperatorWriter::node(std::string_view type, const std::vector<std::string>& inputs,
                                 const std::vector<NodeAttribute>& attributes) {
  onnx::NodeProto& added = *state_.file.add_node();
  std::string name = unique(fmt::format("{}/{}", op_.name, type));
  added.set_name(name);
  added.set_op_type(std::string(type));
  added.set_doc_string(mark_);
  for (const std::string& input : inputs) added.add_input(input);
  added.add_output(name);
  for (const NodeAttribute& from : attributes) {
    onnx::AttributeProto& attribute = *added.add_attribute();
    attribute.set_name(std::string(from.name));
    std::visit(AttributeSetter{attribute}, from.value);
  }
  return name;
}

std::string OperatorWriter::reshape(const std::string& tensor, const Shape& shape) {
  return node("Reshape", {tensor, integers(shape)});
}

std::string OperatorWriter::add_input(std::string name, std::int32_t type, const Shape& shape) {
  onnx::ValueInfoProto& input = *state_.file.add_input();
  input.set_name(name);
  onnx::TypeProto_Tensor& tensor = *input.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  tensor.mutable_shape();
  for (const std::int64_t extent : shape) tensor.mutable_shape()->add_dim()->set_dim_value(extent);
  return name;
}

std::string OperatorWriter::learned(std::string_view suffix, const Shape& shape) {
  return add_input(unique(fmt::format("{}.{}", op_.name, suffix)), onnx::TensorProto::FLOAT, shape);
}

std::string OperatorWriter::indices(std::string_view suffix, const Shape& shape) {
  return add_input(unique(fmt::format("{}.{}", op_.name, suffix)), onnx::TensorProto::INT64, shape);
}

WrittenWeights OperatorWriter::shared_weights() {
  for (const OperatorId id : downward(id_)) {
    const Operator& earlier = state_.graph.at(id);
    const auto known = state_.weights.find(id);
    if (known == state_.weights.end() || earlier.shares_weights) continue;
    if (uses_same_weights(earlier, op_)) return known->second;
    // A language model may score words by the table in which it looks them up.
    const bool is_table = earlier.kind == OperatorKind::embedding && op_.kind == OperatorKind::linear;
    if (is_table && earlier.output.shape.back() == op_.product.inner &&
        earlier.parameters == op_.product.inner * op_.product.columns) {
      return {node("Transpose", {known->second.weight}, {{"perm", Shape{1, 0}}}), {}};
    }
  }
  throw import::Refusal("shares the weights of an operator that is not known");
}

std::string OperatorWriter::chosen_weight(const Shape& shape) {
  for (const std::size_t axis : {std::size_t{1}, std::size_t{0}}) {
    if (shape.size() != 2 || op_.idle % shape[1 - axis] != 0) continue;
    Shape whole = shape;
    whole[axis] += op_.idle / shape[1 - axis];
    return node("Slice", {learned("weight", whole), integers({0}), integers({shape[axis]}),
                          integers({static_cast<std::int64_t>(axis)})});
  }
  throw import::Refusal("has experts that are not parts of one matrix");
}

WrittenWeights OperatorWriter::weights(const Shape& shape, std::int64_t channels) {
  if (op_.shares_weights) return shared_weights();
  WrittenWeights made;
  made.weight = op_.idle == 0 ? learned("weight", shape) : chosen_weight(shape);
  const std::int64_t biases = op_.parameters - op_.weights - op_.idle;
  if (biases % channels != 0) {
    throw import::Refusal(fmt::format("has {} parameters besides its weights, but {} channels", biases, channels));
  }
  for (std::int64_t i = 0; i < biases / channels; ++i) made.biases.push_back(learned("bias", {channels}));
  return state_.weights[id_] = made;
}

std::string OperatorWriter::table(const Shape& shape) { return state_.weights[id_].weight = learned("table", shape); }

std::string OperatorWriter::integers(const Shape& values) {
  const auto known = state_.integers.find(values);
  if (known != state_.integers.end()) return known->second;
  const std::string name = unique(fmt::format("integers.{}", state_.integers.size()));
  onnx::TensorProto& tensor = *state_.file.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::INT64);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  for (const std::int64_t value : values) tensor.add_int64_data(value);
  return state_.integers[values] = name;
}

std::string OperatorWriter::number(float value) {
  const auto known = state_.numbers.find(value);
  if (known != state_.numbers.end()) return known->second;
  const std::string name = unique(fmt::format("number.{}", state_.numbers.size()));
  onnx::TensorProto& tensor = *state_.file.add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  tensor.add_float_data(value);
  return state_.numbers[value] = name;
}

Shape OperatorWriter::take_part() {
  const Shape& whole = shape(0);
  Shape& taken = state_.taken[sources_[0]];
  taken.resize(whole.size(), 0);
  Shape first(whole.size(), 0);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (output()[i] == whole[i]) continue;
    first[i] = taken[i] + output()[i] <= whole[i] ? taken[i] : 0;
    taken[i] = first[i] + output()[i];
  }
  return first;
}

std::int64_t OperatorWriter::take_elements() {
  std::int64_t& taken = state_.taken_elements[sources_[0]];
  const std::int64_t first = taken + op_.output.elements() <= source(0).output.elements() ? taken : 0;
  taken = first + op_.output.elements();
  return first;
}

void OperatorWriter::give(const std::string& tensor, Layout layout) {
  const int last = state_.file.node_size() - 1;
  const bool is_own = last >= first_node_ && state_.file.node(last).output(0) == tensor;
  if (!is_own) {
    node("Identity", {tensor});
    return give(state_.file.node(state_.file.node_size() - 1).output(0), layout);
  }
  onnx::NodeProto& writer = *state_.file.mutable_node(last);
  const std::string name = unique(op_.name);
  writer.set_name(name);
  writer.set_output(0, name);
  state_.written[id_] = {name, layout, false};
}

void OperatorWriter::give_input(const Shape& shape, Layout layout, bool is_index) {
  const std::string name = unique(op_.name);
  add_input(name, is_index ? onnx::TensorProto::INT64 : onnx::TensorProto::FLOAT, shape);
  state_.file.mutable_input(state_.file.input_size() - 1)->set_doc_string(mark_);
  state_.written[id_] = {name, layout, is_index};
}

}  // namespace pimsweep::workload::onnx_export
