#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "workload/import/onnx_model.h"

namespace pimsweep::workload::import {

/// Extents of a tensor of the file; nullptr if no node has written it. Throws Refusal for a tensor without a name.
using ShapeOf = std::function<const Shape*(const std::string& tensor)>;

/// Plain ONNX nodes, in order, that are equivalent to a fused or quantized node; empty if the node is plain already.
/// Scales and zero points of quantized tensors are left out. Throws Refusal for unsupported forms of a node, such as
/// packed inputs.
std::vector<OnnxNode> lowered(const OnnxNode& node, const ShapeOf& shape_of);

/// True if nodes of this type are decomposed.
bool is_lowered(std::string_view type);

}  // namespace pimsweep::workload::import
