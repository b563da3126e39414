#pragma once

#include <string>
#include <string_view>

namespace pimsweep::workload::import {

/// An ONNX file (a Protocol Buffers message) without what a network's shapes do not need: the values of weights, docs
/// but the marks of operators, inferred shapes and bodies of control flow. Reads each byte at most once per level of
/// nesting and copies values of small tensors only, so that the result is small however large the weights are, and the
/// parser meets bounded input. Throws InputError if the bytes are no such message, or if it has more nodes and names
/// than any network needs.
std::string strip_weights(std::string_view bytes, const std::string& file);

}  // namespace pimsweep::workload::import
