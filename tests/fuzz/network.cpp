#include <string>

#include "expect.h"
#include "readers.h"
#include "workload/import/network_import.h"
#include "workload/import/onnx_reader.h"
#include "workload/import/onnx_strip.h"

namespace pimsweep::fuzz {

using namespace workload::import;

/// An ONNX file, imported at small sizes of its open dimensions.
void read_network(std::string_view input) {
  expect_input_error([&] {
    const OnnxModel model = read_onnx(strip_weights(input, "net.onnx"), "net.onnx");
    expect_input_error([&] { input_extents(model); });
    for (const UnknownNodes unknown : {UnknownNodes::refuse, UnknownNodes::elementwise}) {
      expect_input_error([&] { check_network(model, unknown); });
      ImportOptions options;
      options.image_px = 64;
      options.tokens = 16;
      options.unknown = unknown;
      expect_input_error([&] { import_network(model, options); });
    }
  });
}

}  // namespace pimsweep::fuzz
