#pragma once

#include <string>
#include <string_view>

namespace pimsweep::workload::import {

/// Reduces an ONNX file (a Protocol Buffers message) to the parts that determine a network's shapes. Drops values of
/// weights, doc strings except marks of operators, inferred shapes and bodies of control flow. Reads each byte at most
/// once per level of nesting and copies values of small tensors only, so that the result is small and safe to parse
/// however large the weights are. Throws InputError if the bytes are not such a message, or if it has more nodes and
/// names than any network needs.
std::string strip_weights(std::string_view bytes, const std::string& file);

}  // namespace pimsweep::workload::import
