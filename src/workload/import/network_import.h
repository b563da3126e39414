#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workload/import/onnx_model.h"
#include "workload/import/unknown_nodes.h"
#include "workload/operator_graph.h"

namespace pimsweep::workload::import {

struct ImportOptions {
  /// For the open dimensions of images and of sequences; 0 where there is no value.
  std::int64_t image_px = 0;
  std::int64_t tokens = 0;
  /// Takes one sample of a fixed batch; otherwise the batch stays as in the file.
  bool takes_one_sample = true;
  UnknownNodes unknown = UnknownNodes::refuse;
};

/// What a network's inputs say about the size at which it can be read.
struct InputExtents {
  /// The input is a sequence rather than an image.
  bool is_sequence = false;
  /// The fixed size: side of the image or number of tokens; none if it is open.
  std::optional<std::int64_t> size;
};

/// Throws InputError if the network has no input.
InputExtents input_extents(const OnnxModel& model);

/// Throws InputError if a network cannot be taken, as far as its file tells without a size for open dimensions.
void check_network(const OnnxModel& model, UnknownNodes unknown);

/// The operator graph of a network. Throws InputError with all nodes that cannot be taken, and for open dimensions
/// that nothing binds.
OperatorGraph import_network(const OnnxModel& model, const ImportOptions& options);

}  // namespace pimsweep::workload::import
