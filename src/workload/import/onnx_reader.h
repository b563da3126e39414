#pragma once

#include <string>

#include "workload/import/onnx_model.h"

namespace pimsweep::workload::import {

/// Parses an ONNX file that went through strip_weights(). `file` is for messages. Throws InputError if it is none, or
/// one of an operator set that is not known.
OnnxModel read_onnx(const std::string& stripped, const std::string& file);

}  // namespace pimsweep::workload::import
