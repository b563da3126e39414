#pragma once

#include "expect.h"
#include "workload/import/formats.h"

namespace pimsweep::fuzz {

/// Reads a network of a format other than ONNX, in its own size.
template <typename Read>
void read_network_format(std::string_view input, const Read& read) {
  expect_input_error([&] {
    const workload::Model model = read(std::string(input), workload::import::NetworkSource{"network", {}, {}});
    require(model.architecture->graph(model.default_size).defects().empty(), "a network that is read is sound");
  });
}

}  // namespace pimsweep::fuzz
