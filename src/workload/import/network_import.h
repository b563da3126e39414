#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workload/import/importer.h"
#include "workload/import/onnx_model.h"
#include "workload/import/reading_options.h"
#include "workload/operator_graph.h"

namespace pimsweep::workload::import {

/// Interpretation of the first dimension of a network's inputs.
struct InputReading {
  /// True if the first dimension counts samples.
  bool has_batch = true;
  /// Location of the samples in other tensors, if the file fixes their number.
  SampleAxes samples = {};
  /// Explanation of the decision for the user; empty if there was none to make.
  std::string note = {};
};

struct ImportOptions {
  /// Extents of open dimensions of images and sequences; 0 if not set.
  std::int64_t image_px = 0;
  std::int64_t tokens = 0;
  /// True to reduce a fixed batch to one sample; otherwise the batch stays as in the file.
  bool takes_one_sample = true;
  UnknownNodes unknown = UnknownNodes::refuse;
  InputReading reading = {};
};

/// Sizes at which a network can be read, according to its inputs.
struct InputExtents {
  /// True if the input is a sequence rather than an image.
  bool is_sequence = false;
  /// Fixed size, the side of the image or the number of tokens; none if it is open.
  std::optional<std::int64_t> size;
};

/// Decides whether the first dimension of the inputs is a batch. It is if it is named like one ("batch", "N"), and is
/// not if it is named like a sequence ("tokens", "seq_len"). With any other name, it is a batch if its entries pass
/// through the network independently: no operator contracts, reduces or selects among them, and an output has it as its
/// first dimension. If the network cannot be traced, it is assumed to be a batch. Throws InputError if the network has
/// no input.
InputReading read_inputs(const OnnxModel& model, const ReadingOptions& options);

/// Throws InputError if the network has no input.
InputExtents input_extents(const OnnxModel& model, const InputReading& reading = {});

/// Checks what can be checked of a network without sizes for its open dimensions. Throws InputError if the network is
/// not supported.
void check_network(const OnnxModel& model, const ImportOptions& options);

/// Operator graph of a network. Throws InputError with all unsupported nodes, and for open dimensions that no option
/// sets.
OperatorGraph import_network(const OnnxModel& model, const ImportOptions& options);

}  // namespace pimsweep::workload::import
