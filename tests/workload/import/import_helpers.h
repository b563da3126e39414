#pragma once

#include <string>

#include "base/posix_file.h"
#include "workload/import/network_import.h"
#include "workload/import/onnx_reader.h"
#include "workload/import/onnx_strip.h"

namespace pimsweep::workload {

inline const std::string networks_folder = "tests/workload/import/networks/";

/// With the reading of the first dimension that the file suggests.
inline OperatorGraph import_bytes(const std::string& bytes, import::ImportOptions options = {}) {
  const import::OnnxModel model = import::read_onnx(import::strip_weights(bytes, "net.onnx"), "net.onnx");
  options.reading = import::read_inputs(model, {.unknown = options.unknown});
  return import::import_network(model, options);
}

inline import::ImportOptions at_size(std::int64_t image_px, std::int64_t tokens = 0) {
  import::ImportOptions options;
  options.image_px = image_px;
  options.tokens = tokens;
  return options;
}

}  // namespace pimsweep::workload
