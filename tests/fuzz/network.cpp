#include <ctime>
#include <string>

#include "expect.h"
#include "readers.h"
#include "workload/import/network_import.h"
#include "workload/import/onnx_reader.h"
#include "workload/import/onnx_strip.h"

namespace pimsweep::fuzz {

using namespace workload::import;

namespace {

void import_bytes(std::string_view input) {
  expect_input_error([&] {
    const OnnxModel model = read_onnx(strip_weights(input, "net.onnx"), "net.onnx");
    expect_input_error([&] { input_extents(model); });
    for (const UnknownNodes unknown : {UnknownNodes::refuse, UnknownNodes::elementwise}) {
      ImportOptions options;
      expect_input_error([&] { options.reading = read_inputs(model, {.unknown = unknown}); });
      options.image_px = 64;
      options.tokens = 16;
      options.unknown = unknown;
      expect_input_error([&] { check_network(model, options); });
      expect_input_error([&] { import_network(model, options); });
    }
  });
}

}  // namespace

/// An ONNX file, imported at small sizes of its open dimensions, within two seconds of processor time.
void read_network(std::string_view input) {
  constexpr std::clock_t max_time = 2 * CLOCKS_PER_SEC;
  const std::clock_t start = std::clock();
  import_bytes(input);
  require(std::clock() - start < max_time, "a network is read or refused soon");
}

}  // namespace pimsweep::fuzz
