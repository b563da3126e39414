#include "workload/import/lowering.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "workload/import/refusal.h"

namespace pimsweep::workload::import {

namespace {

constexpr std::size_t no_input = SIZE_MAX;

/// Quantized or integer form of a plain operator, with the input positions of its tensors.
struct PlainForm {
  std::string_view type;
  std::string_view plain;
  std::array<std::size_t, 3> inputs;
};

constexpr std::array plain_forms{
    PlainForm{"QLinearConv", "Conv", {0, 3, 8}},
    PlainForm{"ConvInteger", "Conv", {0, 1, no_input}},
    PlainForm{"QLinearMatMul", "MatMul", {0, 3, no_input}},
    PlainForm{"MatMulInteger", "MatMul", {0, 1, no_input}},
    PlainForm{"com.microsoft.MatMulIntegerToFloat", "MatMul", {0, 1, no_input}},
    PlainForm{"com.microsoft.QGemm", "Gemm", {0, 3, 6}},
    PlainForm{"com.microsoft.QLinearAdd", "Add", {0, 3, no_input}},
    PlainForm{"com.microsoft.QLinearMul", "Mul", {0, 3, no_input}},
    PlainForm{"com.microsoft.QLinearSigmoid", "Sigmoid", {0, no_input, no_input}},
    PlainForm{"com.microsoft.QLinearLeakyRelu", "LeakyRelu", {0, no_input, no_input}},
    PlainForm{"com.microsoft.QLinearSoftmax", "Softmax", {0, no_input, no_input}},
    PlainForm{"com.microsoft.QLinearAveragePool", "AveragePool", {0, no_input, no_input}},
    PlainForm{"com.microsoft.QLinearGlobalAveragePool", "GlobalAveragePool", {0, no_input, no_input}},
};

/// Builds the nodes that replace one node.
class Lowering {
 public:
  Lowering(const OnnxNode& node, const ShapeOf& shape_of) : node_(node), shape_of_(shape_of) {}

  std::vector<OnnxNode> take() { return std::move(nodes_); }

  std::string input(std::size_t index) const { return index < node_.inputs.size() ? node_.inputs[index] : ""; }
  bool has(std::size_t index) const { return !input(index).empty(); }
  std::string output(std::size_t index) const { return index < node_.outputs.size() ? node_.outputs[index] : ""; }

  const Shape& shape(std::size_t index) const {
    const Shape* found = has(index) ? shape_of_(input(index)) : nullptr;
    if (found == nullptr) throw Refusal(fmt::format("lacks its input {}", index + 1));
    return *found;
  }

  std::int64_t integer(std::string_view key, std::int64_t otherwise) const {
    const auto found = node_.attributes.find(key);
    return found == node_.attributes.end() ? otherwise : found->second.integer;
  }

  /// Adds a node. Its output has the given name, or a new one.
  std::string add(std::string_view type, std::vector<std::string> inputs, std::string result = "",
                  std::map<std::string, OnnxAttribute, std::less<>> attributes = {}) {
    OnnxNode& made = nodes_.emplace_back();
    made.name = fmt::format("{}/{}", name(), nodes_.size());
    made.type = type;
    made.inputs = std::move(inputs);
    made.attributes = std::move(attributes);
    if (result.empty()) result = fmt::format("{}/{}", first_output(), nodes_.size());
    made.outputs = {result};
    return result;
  }

  /// Makes a tensor an output of the node, if that output is used.
  void give(std::size_t index, const std::string& tensor) {
    if (!output(index).empty()) add("Identity", {tensor}, output(index));
  }

  static OnnxAttribute of(std::int64_t value) {
    OnnxAttribute attribute;
    attribute.integer = value;
    return attribute;
  }
  static OnnxAttribute of(std::vector<std::int64_t> values) {
    OnnxAttribute attribute;
    attribute.integers = std::move(values);
    return attribute;
  }
  static OnnxAttribute of(std::string_view text) {
    OnnxAttribute attribute;
    attribute.text = text;
    return attribute;
  }

  std::string reshape(const std::string& tensor, std::vector<std::int64_t> shape, const std::string& result = "") {
    return add("Reshape", {tensor}, result, {{"shape", of(std::move(shape))}});
  }

  std::string einsum(std::string_view equation, const std::string& a, const std::string& b) {
    return add("Einsum", {a, b}, "", {{"equation", of(equation)}});
  }

  /// Splits a tensor along an axis.
  std::vector<std::string> split(const std::string& tensor, std::int64_t axis, std::vector<std::int64_t> sizes) {
    const std::string base = add("Split", {tensor}, "", {{"axis", of(axis)}, {"split", of(sizes)}});
    std::vector<std::string>& outputs = nodes_.back().outputs;
    for (std::size_t i = 1; i < sizes.size(); ++i) outputs.push_back(fmt::format("{}.{}", base, i));
    return outputs;
  }

  const OnnxNode& node() const { return node_; }

  /// Number of attention heads.
  std::int64_t heads(std::string_view key, std::int64_t otherwise) const {
    constexpr std::int64_t max_heads = 65536;
    const std::int64_t count = integer(key, otherwise);
    if (count < 1 || count > max_heads) throw Refusal(fmt::format("needs '{}' from 1 to {}", key, max_heads));
    return count;
  }

 private:
  std::string name() const { return node_.name.empty() ? node_.type : node_.name; }
  std::string first_output() const {
    const auto named = std::ranges::find_if(node_.outputs, [](const std::string& o) { return !o.empty(); });
    return named == node_.outputs.end() ? name() : *named;
  }

  const OnnxNode& node_;
  const ShapeOf& shape_of_;
  std::vector<OnnxNode> nodes_;
};

void require_form(bool condition, std::string_view message) {
  if (!condition) throw Refusal(std::string(message));
}

void lower_plain(Lowering& l, const PlainForm& form) {
  std::vector<std::string> inputs;
  for (const std::size_t index : form.inputs) {
    if (index != no_input && l.has(index)) inputs.push_back(l.input(index));
  }
  require_form(l.integer("channels_last", 0) == 0, "has its channels last, which is not supported");
  l.add(form.plain, std::move(inputs), l.output(0), l.node().attributes);
}

/// The first output is the tensor itself; scales are free.
void lower_quantization(Lowering& l) {
  l.add("CastLike", {l.input(0), l.input(0)}, l.output(0));
  OnnxAttribute one;
  one.real = 1;
  for (std::size_t i = 1; i < l.node().outputs.size(); ++i) {
    if (!l.output(i).empty()) l.add("Constant", {}, l.output(i), {{"value_float", one}});
  }
}

/// Inputs: scale and zero point of the result, then each tensor with its scale and zero point.
void lower_quantized_concat(Lowering& l) {
  std::vector<std::string> inputs;
  for (std::size_t i = 2; i < l.node().inputs.size(); i += 3) inputs.push_back(l.input(i));
  l.add("Concat", std::move(inputs), l.output(0), l.node().attributes);
}

void lower_bias_gelu(Lowering& l) {
  const std::string x = l.has(1) ? l.add("Add", {l.input(0), l.input(1)}) : l.input(0);
  l.add("Gelu", {x}, l.output(0));
}

void lower_fused_conv(Lowering& l) {
  std::vector<std::string> inputs{l.input(0), l.input(1)};
  if (l.has(2)) inputs.push_back(l.input(2));
  std::string x = l.add("Conv", std::move(inputs), "", l.node().attributes);
  if (l.has(3)) x = l.add("Add", {x, l.input(3)});
  const auto activation = l.node().attributes.find("activation");
  const std::string type = activation == l.node().attributes.end() ? "" : activation->second.text;
  l.add(type.empty() ? "Identity" : type, {x}, l.output(0));
}

void lower_fused_matmul(Lowering& l) {
  std::array<std::string, 2> factors{l.input(0), l.input(1)};
  require_form(l.integer("transBatchA", 0) == 0 && l.integer("transBatchB", 0) == 0, "transposes batches");
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    if (l.integer(i == 0 ? "transA" : "transB", 0) == 0) continue;
    const auto rank = static_cast<std::int64_t>(l.shape(i).size());
    require_form(rank >= 2, "transposes a vector");
    std::vector<std::int64_t> order;
    for (std::int64_t axis = 0; axis < rank - 2; ++axis) order.push_back(axis);
    order.push_back(rank - 1);
    order.push_back(rank - 2);
    factors[i] = l.add("Transpose", {factors[i]}, "", {{"perm", Lowering::of(std::move(order))}});
  }
  l.add("MatMul", {factors[0], factors[1]}, l.output(0));
}

/// Residual sum and normalization.
void lower_skip_norm(Lowering& l) {
  const bool rms = l.node().type.find("Simplified") != std::string::npos;
  std::string sum = l.add("Add", {l.input(0), l.input(1)});
  const std::size_t bias = rms ? 3 : 4;
  if (l.has(bias)) sum = l.add("Add", {sum, l.input(bias)});
  std::vector<std::string> inputs{sum, l.input(2)};
  if (!rms && l.has(3)) inputs.push_back(l.input(3));
  l.add(rms ? "RMSNormalization" : "LayerNormalization", std::move(inputs), l.output(0));
  l.give(3, sum);
}

/// Attention inputs: queries {samples, tokens, key heads, query heads per key head, head size}, and keys and values
/// including the KV cache.
struct AttentionInputs {
  std::string q;
  std::string k;
  std::string v;
  /// True if heads precede tokens in keys and values.
  bool heads_first = false;
};

/// Attention output as {samples, tokens, channels}: softmax of the scores, times the values.
std::string attend(Lowering& l, const AttentionInputs& a, const std::string& result) {
  const std::string scores = l.einsum(a.heads_first ? "bskgd,bkld->bkgsl" : "bskgd,blkd->bkgsl", a.q, a.k);
  const std::string weights = l.add("Softmax", {scores}, "", {{"axis", Lowering::of(std::int64_t{-1})}});
  const std::string context = l.einsum(a.heads_first ? "bkgsl,bkld->bskgd" : "bkgsl,blkd->bskgd", weights, a.v);
  return l.reshape(context, {0, 0, -1}, result);
}

std::string heads_of_queries(Lowering& l, const std::string& q, std::int64_t heads, std::int64_t kv_heads) {
  require_form(heads > 0 && kv_heads > 0 && heads % kv_heads == 0,
               "has a number of key heads that does not divide the number of query heads");
  return l.reshape(q, {0, 0, kv_heads, heads / kv_heads, -1});
}

/// Keys or values of past (KV cache) and new tokens, heads first.
std::string with_past(Lowering& l, const std::string& past, const std::string& fresh, std::size_t output) {
  const std::string turned =
      l.add("Transpose", {fresh}, "", {{"perm", Lowering::of(std::vector<std::int64_t>{0, 2, 1, 3})}});
  const std::string all =
      past.empty() ? turned : l.add("Concat", {past, turned}, "", {{"axis", Lowering::of(std::int64_t{2})}});
  l.give(output, all);
  return all;
}

/// Queries, keys and values by one matrix: com.microsoft.Attention and its quantized form.
void lower_packed_attention(Lowering& l, std::size_t past) {
  require_form(!l.has(past), "has its KV cache in one tensor, which is not supported");
  const Shape& weights = l.shape(1);
  const std::int64_t heads = l.heads("num_heads", 0);
  require_form(weights.size() == 2 && weights[1] % 3 == 0,
               "has weights whose shape does not match queries, keys and values");
  std::string qkv = l.add("MatMul", {l.input(0), l.input(1)});
  if (l.has(2)) qkv = l.add("Add", {qkv, l.input(2)});
  std::vector<std::int64_t> sizes(3, weights[1] / 3);
  if (const auto found = l.node().attributes.find("qkv_hidden_sizes"); found != l.node().attributes.end()) {
    sizes = found->second.integers;
    require_form(sizes.size() == 3, "needs three sizes: of queries, keys and values");
  }
  const std::vector<std::string> parts = l.split(qkv, 2, sizes);
  attend(l,
         {.q = heads_of_queries(l, parts[0], heads, heads),
          .k = l.reshape(parts[1], {0, 0, heads, -1}),
          .v = l.reshape(parts[2], {0, 0, heads, -1})},
         l.output(0));
}

void lower_multi_head_attention(Lowering& l) {
  require_form(l.has(1) && l.has(2) && l.shape(0).size() == 3, "has packed inputs, which are not supported");
  const std::int64_t heads = l.heads("num_heads", 0);
  std::array<std::string, 3> qkv{l.input(0), l.input(1), l.input(2)};
  if (l.has(3)) {
    require_form(!l.shape(1).empty() && !l.shape(2).empty(), "has keys or values without dimensions");
    std::vector<std::int64_t> sizes;
    for (std::size_t i = 0; i < qkv.size(); ++i) sizes.push_back(l.shape(i).back());
    const std::vector<std::string> biases = l.split(l.input(3), 0, sizes);
    for (std::size_t i = 0; i < qkv.size(); ++i) qkv[i] = l.add("Add", {qkv[i], biases[i]});
  }
  // Keys and values of an encoder are split into heads already.
  const auto by_heads = [&](std::size_t i, std::size_t past, std::size_t present) {
    if (l.shape(i).size() == 4) return qkv[i];
    return with_past(l, l.input(past), l.reshape(qkv[i], {0, 0, heads, -1}), present);
  };
  const std::string k = by_heads(1, 6, 1);
  const std::string v = by_heads(2, 7, 2);
  attend(l, {.q = heads_of_queries(l, qkv[0], heads, heads), .k = k, .v = v, .heads_first = true}, l.output(0));
}

void lower_grouped_attention(Lowering& l) {
  const std::int64_t heads = l.heads("num_heads", 0);
  const std::int64_t kv_heads = l.heads("kv_num_heads", heads);
  require_form(l.shape(0).size() == 3, "has queries that are not {samples, tokens, channels}");
  std::array<std::string, 3> qkv{l.input(0), l.input(1), l.input(2)};
  if (!l.has(1)) {
    const std::int64_t size = l.shape(0).back() / (heads + 2 * kv_heads);
    const std::vector<std::string> parts = l.split(qkv[0], 2, {heads * size, kv_heads * size, kv_heads * size});
    std::ranges::copy(parts, qkv.begin());
  }
  std::string q = heads_of_queries(l, qkv[0], heads, kv_heads);
  std::string k = l.reshape(qkv[1], {0, 0, kv_heads, -1});
  if (l.integer("do_rotary", 0) != 0) {
    q = l.add("RotaryEmbedding", {q});
    k = l.add("RotaryEmbedding", {k});
  }
  k = with_past(l, l.input(3), k, 1);
  const std::string v = with_past(l, l.input(4), l.reshape(qkv[2], {0, 0, kv_heads, -1}), 2);
  attend(l, {.q = q, .k = k, .v = v, .heads_first = true}, l.output(0));
}

/// ONNX's own operator (since version 23): three dimensions with heads in the attributes, or four, heads first.
void lower_onnx_attention(Lowering& l) {
  const std::size_t rank = l.shape(0).size();
  const bool by_heads = rank == 4;
  require_form((rank == 3 || by_heads) && l.shape(1).size() == rank && l.shape(2).size() == rank,
               "needs queries, keys and values of three dimensions each, or of four each");
  const std::int64_t heads = by_heads ? l.shape(0)[1] : l.heads("q_num_heads", 0);
  const std::int64_t kv_heads = by_heads ? l.shape(1)[1] : l.heads("kv_num_heads", heads);
  require_form(heads > 0 && kv_heads > 0 && heads % kv_heads == 0,
               "has a number of key heads that does not divide the number of query heads");
  const auto turned = [&](const std::string& tensor) {
    return l.add("Transpose", {tensor}, "", {{"perm", Lowering::of(std::vector<std::int64_t>{0, 2, 1, 3})}});
  };
  const auto cached = [&](std::size_t input, std::size_t past, std::size_t present) {
    if (!by_heads) return with_past(l, l.input(past), l.reshape(l.input(input), {0, 0, kv_heads, -1}), present);
    const std::string all =
        !l.has(past) ? l.input(input)
                     : l.add("Concat", {l.input(past), l.input(input)}, "", {{"axis", Lowering::of(std::int64_t{2})}});
    l.give(present, all);
    return all;
  };
  const std::string k = cached(1, 4, 1);
  const std::string v = cached(2, 5, 2);
  // Four dimensions: heads precede tokens in queries.
  const std::string q = by_heads ? turned(l.input(0)) : l.input(0);
  const std::string split_q = l.reshape(q, {0, 0, kv_heads, heads / kv_heads, -1});
  const AttentionInputs attention{.q = split_q, .k = k, .v = v, .heads_first = true};
  if (!by_heads) {
    attend(l, attention, l.output(0));
    return;
  }
  const std::string context = l.reshape(attend(l, attention, ""), {0, 0, heads, -1});
  l.add("Transpose", {context}, l.output(0), {{"perm", Lowering::of(std::vector<std::int64_t>{0, 2, 1, 3})}});
}

struct FusedType {
  std::string_view type;
  void (*lower)(Lowering& l);
};

constexpr std::array fused_types{
    FusedType{"QuantizeLinear", lower_quantization},
    FusedType{"DequantizeLinear", lower_quantization},
    FusedType{"DynamicQuantizeLinear", lower_quantization},
    FusedType{"com.microsoft.QuantizeLinear", lower_quantization},
    FusedType{"com.microsoft.DequantizeLinear", lower_quantization},
    FusedType{"com.microsoft.BiasGelu", lower_bias_gelu},
    FusedType{"com.microsoft.FastGelu", lower_bias_gelu},
    FusedType{"com.microsoft.QLinearConcat", lower_quantized_concat},
    FusedType{"com.microsoft.FusedConv", lower_fused_conv},
    FusedType{"com.microsoft.FusedMatMul", lower_fused_matmul},
    FusedType{"com.microsoft.SkipLayerNormalization", lower_skip_norm},
    FusedType{"com.microsoft.SkipSimplifiedLayerNormalization", lower_skip_norm},
    FusedType{"com.microsoft.Attention", [](Lowering& l) { lower_packed_attention(l, 4); }},
    FusedType{"com.microsoft.QAttention", [](Lowering& l) { lower_packed_attention(l, 8); }},
    FusedType{"com.microsoft.MultiHeadAttention", lower_multi_head_attention},
    FusedType{"com.microsoft.GroupQueryAttention", lower_grouped_attention},
    FusedType{"Attention", lower_onnx_attention},
};

}  // namespace

bool is_lowered(std::string_view type) {
  return std::ranges::find(plain_forms, type, &PlainForm::type) != plain_forms.end() ||
         std::ranges::find(fused_types, type, &FusedType::type) != fused_types.end();
}

std::vector<OnnxNode> lowered(const OnnxNode& node, const ShapeOf& shape_of) {
  if (!is_lowered(node.type)) return {};
  const auto* const form = std::ranges::find(plain_forms, node.type, &PlainForm::type);
  const auto* const fused = std::ranges::find(fused_types, node.type, &FusedType::type);
  Lowering lowering(node, shape_of);
  if (form != plain_forms.end()) {
    lower_plain(lowering, *form);
  } else {
    fused->lower(lowering);
  }
  return lowering.take();
}

}  // namespace pimsweep::workload::import
