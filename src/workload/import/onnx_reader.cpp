#include "workload/import/onnx_reader.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <array>
#include <cstring>
#include <limits>
#include <map>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace pimsweep::workload::import {

namespace {

constexpr std::int64_t min_opset = 7;
constexpr std::int64_t max_opset = 25;

bool is_floating(std::int32_t type) {
  return type == onnx::TensorProto::FLOAT || type == onnx::TensorProto::DOUBLE || type == onnx::TensorProto::FLOAT16 ||
         type == onnx::TensorProto::BFLOAT16;
}

constexpr std::int64_t few_bits = 8;

/// Bits of an element by the number of its type: older versions of the library lack names for the newest ones. Texts
/// have 0.
std::int64_t bits_of(std::int64_t type) {
  constexpr std::array<std::int64_t, 27> bits{0,  32,  8,  8, 16, 16, 32, 64, 0, 8, 16, 64, 32, 64,
                                              64, 128, 16, 8, 8,  8,  8,  4,  4, 4, 8,  2,  2};
  return type > 0 && static_cast<std::size_t>(type) < bits.size() ? bits[static_cast<std::size_t>(type)] : 0;
}

/// True for integers and floating-point types of at most 8 bits.
bool has_few_bits(std::int32_t type) {
  return type != onnx::TensorProto::BOOL && bits_of(type) > 0 && bits_of(type) <= few_bits;
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
  tensor.may_be_weights = tensor.is_floating || has_few_bits(from.data_type());
  tensor.bits = bits_of(from.data_type());
  if (has_few_bits(from.data_type())) tensor.quantized_bits = static_cast<double>(tensor.bits);
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

std::string type_of(const std::string& domain, const std::string& type) {
  return is_own_domain(domain) ? type : fmt::format("{}.{}", domain, type);
}

OnnxNode node_of(const onnx::NodeProto& from) {
  OnnxNode node;
  node.name = from.name();
  node.type = type_of(from.domain(), from.op_type());
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
    throw InputError({file, 0, 0}, fmt::format("input '{}' is not a tensor", from.name()));
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

/// Mapping of names inside a function to names of the network; the identity at the top level.
struct Scope {
  std::string prefix;
  std::map<std::string, std::string> names;
  std::map<std::string, OnnxAttribute, std::less<>> attributes;
  int depth = 0;

  std::string name_of(const std::string& name) const {
    if (name.empty()) return name;
    const auto found = names.find(name);
    return found == names.end() ? prefix + name : found->second;
  }
};

/// Replaces calls of local functions by the functions' nodes.
class Inliner {
 public:
  Inliner(const onnx::ModelProto& model, OnnxModel& result) : result_(result) {
    for (const onnx::FunctionProto& function : model.functions()) {
      functions_.emplace(type_of(function.domain(), function.name()), &function);
    }
  }

  void add(const onnx::NodeProto& node, const Scope& scope) {
    if (result_.nodes.size() >= max_nodes) refuse(fmt::format("has more than {} nodes", max_nodes));
    bytes_ += node.ByteSizeLong() + scope.prefix.size();
    if (bytes_ > max_bytes) refuse(fmt::format("has more than {} MiB of nodes", max_bytes >> 20U));
    OnnxNode made = node_of(node);
    for (std::string& input : made.inputs) input = scope.name_of(input);
    for (std::string& output : made.outputs) output = scope.name_of(output);
    if (!scope.prefix.empty()) made.name = scope.prefix + made.name;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.ref_attr_name().empty()) continue;
      const auto given = scope.attributes.find(attribute.ref_attr_name());
      made.attributes.erase(attribute.name());
      if (given != scope.attributes.end()) made.attributes[attribute.name()] = given->second;
    }
    const auto function = functions_.find(made.type);
    if (function == functions_.end()) {
      result_.nodes.push_back(std::move(made));
    } else {
      call(*function->second, std::move(made), scope.depth + 1);
    }
  }

 private:
  void call(const onnx::FunctionProto& function, OnnxNode caller, int depth) {
    constexpr int max_depth = 32;
    if (depth > max_depth) refuse(fmt::format("calls functions more than {} deep", max_depth));
    if (++calls_ > max_nodes) refuse(fmt::format("calls functions more than {} times", max_nodes));
    Scope scope;
    scope.depth = depth;
    scope.prefix = fmt::format("{}/{}/", caller.name.empty() ? caller.type : caller.name, calls_);
    scope.attributes = std::move(caller.attributes);
    const auto bind = [&](const auto& names, const std::vector<std::string>& outer) {
      std::size_t i = 0;
      for (const std::string& name : names) {
        if (i < outer.size() && !outer[i].empty()) scope.names[name] = outer[i];
        // An input that the call omits is omitted from the nodes, too.
        if (&names == &function.input() && (i >= outer.size() || outer[i].empty())) scope.names[name] = "";
        ++i;
      }
    };
    bind(function.input(), caller.inputs);
    bind(function.output(), caller.outputs);
    for (const onnx::NodeProto& node : function.node()) add(node, scope);
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw InputError({result_.file, 0, 0}, fmt::format("the network {}", what));
  }

  static constexpr std::size_t max_nodes = 200'000;
  static constexpr std::size_t max_bytes = std::size_t{64} << 20U;
  OnnxModel& result_;
  std::map<std::string, const onnx::FunctionProto*> functions_;
  std::size_t calls_ = 0;
  /// Size of all nodes so far.
  std::size_t bytes_ = 0;
};

/// Marks tensors as weights if the network dequantizes them, and sets the bits in which it stores them.
class QuantizationMarks {
 public:
  explicit QuantizationMarks(OnnxModel& model) {
    for (OnnxTensor& tensor : model.initializers) tensors_[tensor.name] = &tensor;
    for (OnnxNode& node : model.nodes) {
      const auto value = node.attributes.find("value");
      if (node.type == "Constant" && value != node.attributes.end() && !node.outputs.empty()) {
        tensors_[node.outputs.front()] = &value->second.tensor;
      }
    }
  }

  void mark(const OnnxNode& node) {
    constexpr std::size_t bias_of_convolution = 8;
    if (node.type == "QLinearConv") {
      if (OnnxTensor* bias = tensor(node, bias_of_convolution)) bias->may_be_weights = true;
    } else if (node.type == "com.microsoft.MatMulNBits") {
      constexpr std::int64_t default_bits = 4;
      put_bits(tensor(node, 1), integer(node, "bits", default_bits), bits_of_blocks(node, 1));
    } else if (node.type.ends_with("DequantizeLinear")) {
      OnnxTensor* weights = tensor(node, 0);
      if (weights == nullptr) return;
      weights->may_be_weights = true;
      if (weights->bits <= few_bits) put_bits(weights, weights->bits, bits_of_blocks(node, 0));
    } else if (node.type.ends_with("QuantizeLinear")) {
      // Weights that a network quantizes before it uses them are stored as the result.
      put_bits(tensor(node, 0), result_bits(node), 0);
    }
  }

 private:
  OnnxTensor* tensor(const OnnxNode& node, std::size_t input) const {
    const auto found = input < node.inputs.size() ? tensors_.find(node.inputs[input]) : tensors_.end();
    return found == tensors_.end() ? nullptr : found->second;
  }

  static void put_bits(OnnxTensor* weights, std::int64_t bits, double bits_of_blocks) {
    if (weights != nullptr) weights->quantized_bits = static_cast<double>(bits) + bits_of_blocks;
  }

  static std::int64_t integer(const OnnxNode& node, std::string_view key, std::int64_t otherwise) {
    const auto found = node.attributes.find(key);
    return found == node.attributes.end() ? otherwise : found->second.integer;
  }

  /// Bits for each weight of the scales and zero points of its block, the two inputs after `weights`.
  double bits_of_blocks(const OnnxNode& node, std::size_t weights) const {
    const std::int64_t size = integer(node, "block_size", 0);
    if (size < 1) return 0;
    std::int64_t bits = 0;
    for (const std::size_t input : {weights + 1, weights + 2}) {
      if (const OnnxTensor* part = tensor(node, input)) bits += part->bits;
    }
    return static_cast<double>(bits) / static_cast<double>(size);
  }

  std::int64_t result_bits(const OnnxNode& node) const {
    constexpr std::size_t zero_point = 2;
    const OnnxTensor* zero = tensor(node, zero_point);
    return zero == nullptr ? bits_of(integer(node, "output_dtype", onnx::TensorProto::UINT8)) : zero->bits;
  }

  std::map<std::string_view, OnnxTensor*> tensors_;
};

/// Version of ONNX's own operator set; throws if it is not supported.
std::int64_t opset_of(const onnx::ModelProto& model, const std::string& file) {
  for (const onnx::OperatorSetIdProto& set : model.opset_import()) {
    if (!is_own_domain(set.domain())) continue;
    if (set.version() >= min_opset && set.version() <= max_opset) return set.version();
    throw InputError({file, 0, 0},
                     fmt::format("the network uses version {} of ONNX's operator set, but versions {} to {} "
                                 "are supported: export it with one of them, such as opset_version={}",
                                 set.version(), min_opset, max_opset, max_opset));
  }
  throw InputError({file, 0, 0}, "cannot be read as an ONNX network: it names no operator set");
}

}  // namespace

OnnxModel read_onnx(const std::string& stripped, const std::string& file) {
  onnx::ModelProto parsed;
  const bool fits = stripped.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (!fits || !parsed.ParseFromArray(stripped.data(), static_cast<int>(stripped.size())) || !parsed.has_graph()) {
    throw InputError({file, 0, 0}, "cannot be read as an ONNX network: it is not a ModelProto with a graph");
  }
  OnnxModel model;
  model.file = file;
  model.opset = opset_of(parsed, file);
  const onnx::GraphProto& graph = parsed.graph();
  for (const onnx::ValueInfoProto& input : graph.input()) model.inputs.push_back(input_of(input, file));
  for (const onnx::TensorProto& tensor : graph.initializer()) model.initializers.push_back(tensor_of(tensor));
  model.nodes.reserve(static_cast<std::size_t>(graph.node_size()));
  Inliner inliner(parsed, model);
  for (const onnx::NodeProto& node : graph.node()) inliner.add(node, {});
  QuantizationMarks marks(model);
  for (const OnnxNode& node : model.nodes) marks.mark(node);
  for (const onnx::ValueInfoProto& output : graph.output()) model.outputs.push_back(output.name());
  return model;
}

}  // namespace pimsweep::workload::import
