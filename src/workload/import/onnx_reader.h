#pragma once

#include <string>

#include "workload/import/onnx_model.h"

namespace pimsweep::workload::import {

/// Parses an ONNX file that strip_weights() has reduced. `file` is for messages. Throws InputError if it is not an ONNX
/// file or has an unsupported operator set.
OnnxModel read_onnx(const std::string& stripped, const std::string& file);

}  // namespace pimsweep::workload::import
