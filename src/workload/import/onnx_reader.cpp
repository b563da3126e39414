#include "workload/import/onnx_reader.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace pimsweep::workload::import {

namespace {

constexpr std::int64_t min_opset = 7;
constexpr std::int64_t max_opset = 17;

bool is_floating(std::int32_t type) {
  return type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::DOUBLE || type == onnx::TensorProto::FLOAT16 ||
         type == onnx::TensorProto::BFLOAT16;
}

template <typename Number>
std::vector<double> numbers(const std::string& raw) {
  std::vector<double> values(raw.size() / sizeof(Number));
  for (std::size_t i = 0; i < values.size(); ++i) {
    Number number{};
    std::memcpy(&number, raw.data() + i * sizeof(Number), sizeof(Number));
    values[i] = static_cast<double>(number);
  }
  return values;
}

template <typename Numbers>
std::vector<double> converted(const Numbers& from) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(from.size()));
  for (const auto number : from) values.push_back(static_cast<double>(number));
  return values;
}

std::vector<double> values_of(const onnx::TensorProto& tensor) {
  const std::string& raw = tensor.raw_data();
  switch (tensor.data_type()) {
    case onnx::TensorProto::FLOAT:
      return raw.empty() ? converted(tensor.float_data()) : numbers<float>(raw);
    case onnx::TensorProto::DOUBLE:
      return raw.empty() ? converted(tensor.double_data()) : numbers<double>(raw);
    case onnx::TensorProto::INT64:
      return raw.empty() ? converted(tensor.int64_data()) : numbers<std::int64_t>(raw);
    case onnx::TensorProto::INT32:
      return raw.empty() ? converted(tensor.int32_data()) : numbers<std::int32_t>(raw);
    case onnx::TensorProto::BOOL:
      return raw.empty() ? converted(tensor.int32_data()) : numbers<std::uint8_t>(raw);
    default:
      return {};
  }
}

OnnxTensor tensor_of(const onnx::TensorProto& from) {
  OnnxTensor tensor;
  tensor.name = from.name();
  tensor.is_floating = is_floating(from.data_type());
  tensor.shape.assign(from.dims().begin(), from.dims().end());
  tensor.values = values_of(from);
  return tensor;
}

OnnxAttribute attribute_of(const onnx::AttributeProto& from) {
  OnnxAttribute attribute;
  attribute.real = from.f();
  attribute.integer = from.i();
  attribute.text = from.s();
  attribute.integers.assign(from.ints().begin(), from.ints().end());
  attribute.reals = converted(from.floats());
  attribute.texts.assign(from.strings().begin(), from.strings().end());
  if (from.has_t()) attribute.tensor = tensor_of(from.t());
  return attribute;
}

bool is_own_domain(const std::string& domain) { return domain.empty() || domain == "ai.onnx"; }

OnnxNode node_of(const onnx::NodeProto& from) {
  OnnxNode node;
  node.name = from.name();
  node.type = is_own_domain(from.domain()) ? from.op_type() : fmt::format("{}.{}", from.domain(), from.op_type());
  node.doc = from.doc_string();
  node.inputs.assign(from.input().begin(), from.input().end());
  node.outputs.assign(from.output().begin(), from.output().end());
  for (const onnx::AttributeProto& attribute : from.attribute()) {
    node.attributes.emplace(attribute.name(), attribute_of(attribute));
  }
  return node;
}

OnnxInput input_of(const onnx::ValueInfoProto& from, const std::string& file) {
  if (!from.type().has_tensor_type())
    throw InputError({file, 0, 0}, fmt::format("input '{}' is no tensor", from.name()));
  OnnxInput input;
  input.name = from.name();
  input.doc = from.doc_string();
  const onnx::TypeProto_Tensor& type = from.type().tensor_type();
  input.is_floating = is_floating(type.elem_type());
  for (const auto& dimension : type.shape().dim()) {
    const bool fixed = dimension.value_case() == onnx::TensorShapeProto_Dimension::kDimValue;
    if (fixed && dimension.dim_value() < 1) {
      throw InputError({file, 0, 0}, fmt::format("input '{}' has no elements", from.name()));
    }
    input.shape.push_back({fixed ? dimension.dim_value() : 0, dimension.dim_param()});
  }
  return input;
}

/// The version of ONNX's own operator set; throws if it is none of the known ones.
std::int64_t opset_of(const onnx::ModelProto& model, const std::string& file) {
  for (const onnx::OperatorSetIdProto& set : model.opset_import()) {
    if (!is_own_domain(set.domain())) continue;
    if (set.version() >= min_opset && set.version() <= max_opset) return set.version();
    throw InputError({file, 0, 0},
                     fmt::format("the network uses version {} of ONNX's operator set, but versions {} to {} "
                                 "are known: export it with opset_version={}",
                                 set.version(), min_opset, max_opset, max_opset));
  }
  throw InputError({file, 0, 0}, "cannot be read as an ONNX network: it names no operator set");
}

}  // namespace

OnnxModel read_onnx(const std::string& stripped, const std::string& file) {
  onnx::ModelProto parsed;
  const bool fits = stripped.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (!fits || !parsed.ParseFromArray(stripped.data(), static_cast<int>(stripped.size())) || !parsed.has_graph()) {
    throw InputError({file, 0, 0}, "cannot be read as an ONNX network: its bytes are no ModelProto with a graph");
  }
  OnnxModel model;
  model.file = file;
  model.opset = opset_of(parsed, file);
  const onnx::GraphProto& graph = parsed.graph();
  for (const onnx::ValueInfoProto& input : graph.input()) model.inputs.push_back(input_of(input, file));
  for (const onnx::TensorProto& tensor : graph.initializer()) model.initializers.push_back(tensor_of(tensor));
  for (const onnx::NodeProto& node : graph.node()) model.nodes.push_back(node_of(node));
  for (const onnx::ValueInfoProto& output : graph.output()) model.outputs.push_back(output.name());
  return model;
}

}  // namespace pimsweep::workload::import
