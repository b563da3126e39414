#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "workload/import/onnx_model.h"

namespace pimsweep::workload::import {

/// The extents of a tensor of the file; nullptr if nothing has written it. Throws Refusal for a tensor without a name.
using ShapeOf = std::function<const Shape*(const std::string& tensor)>;

/// Nodes of ONNX's plain operators that compute what a fused or a quantized node does, in order; empty for nodes that
/// are plain already. Scales and zero points of quantized tensors are left out. Throws Refusal for forms of a node that
/// are not known, such as packed inputs.
std::vector<OnnxNode> lowered(const OnnxNode& node, const ShapeOf& shape_of);

/// Whether such nodes are taken apart.
bool is_lowered(std::string_view type);

}  // namespace pimsweep::workload::import
