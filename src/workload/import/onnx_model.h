#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pimsweep::workload::import {

/// Extents of a tensor, in the dimension order of the file.
using Shape = std::vector<std::int64_t>;

/// Tensor of an ONNX file: an initializer or the value of an attribute. Values of weights are not read.
struct OnnxTensor {
  std::string name;
  bool is_floating = false;
  /// True for element types of weights: floating point, or integers of 8 bits or less.
  bool may_be_weights = false;
  /// Bits of an element; 0 for texts.
  std::int64_t bits = 0;
  /// Bits in which a quantized network stores an element, scales and zero points of blocks included; 0 if it is not
  /// quantized.
  double quantized_bits = 0;
  Shape shape;
  /// Empty unless the tensor is small.
  std::vector<double> values;
};

struct OnnxAttribute {
  double real = 0;
  std::int64_t integer = 0;
  std::string text;
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  std::vector<std::string> texts;
  OnnxTensor tensor;
};

struct OnnxNode {
  std::string name;
  /// Operator type: "Conv", or with its domain if that is not ONNX's own, "com.microsoft.Gelu".
  std::string type;
  /// Doc string if it is the mark of an operator (operator_mark.h), otherwise empty.
  std::string doc;
  /// Names of tensors; empty for an omitted optional one.
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::map<std::string, OnnxAttribute, std::less<>> attributes;
};

/// Extent of an input: fixed, or open with a symbolic name.
struct OnnxDimension {
  /// 0 where the extent is open.
  std::int64_t extent = 0;
  /// Name of an open extent; may be empty.
  std::string symbol;
};

struct OnnxInput {
  std::string name;
  /// As for a node.
  std::string doc;
  bool is_floating = false;
  std::vector<OnnxDimension> shape;
};

/// Contents of an ONNX file except the values of its weights.
struct OnnxModel {
  /// For messages.
  std::string file;
  std::int64_t opset = 0;
  std::vector<OnnxInput> inputs;
  std::vector<OnnxTensor> initializers;
  /// Nodes in topological order.
  std::vector<OnnxNode> nodes;
  std::vector<std::string> outputs;
};

}  // namespace pimsweep::workload::import
