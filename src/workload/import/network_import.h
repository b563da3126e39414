#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "workload/import/importer.h"
#include "workload/import/onnx_model.h"
#include "workload/import/reading_options.h"
#include "workload/operator_graph.h"

namespace pimsweep::workload::import {

/// How the inputs of a network are read.
struct InputReading {
  /// The first dimension counts samples.
  bool has_batch = true;
  /// Where these are in other tensors, if the file fixes their number.
  SampleAxes samples = {};
  /// What was decided, for people; empty where there was nothing to decide.
  std::string note = {};
};

struct ImportOptions {
  /// For the open dimensions of images and of sequences; 0 where there is no value.
  std::int64_t image_px = 0;
  std::int64_t tokens = 0;
  /// Takes one sample of a fixed batch; otherwise the batch stays as in the file.
  bool takes_one_sample = true;
  UnknownNodes unknown = UnknownNodes::refuse;
  InputReading reading = {};
};

/// What a network's inputs say about the size at which it can be read.
struct InputExtents {
  /// The input is a sequence rather than an image.
  bool is_sequence = false;
  /// The fixed size: side of the image or number of tokens; none if it is open.
  std::optional<std::int64_t> size;
};

/// Decides what the first dimension of the inputs counts. One that is named like a batch ("batch", "N") is a batch, one
/// that is named like a sequence ("tokens", "seq_len") is data. Any other is a batch if its entries come out of the
/// network apart from each other: no operator contracts, reduces or chooses among them, and an output leads with it. A
/// network that cannot be followed has a batch. Throws InputError if the network has no input.
InputReading read_inputs(const OnnxModel& model, const ReadingOptions& options);

/// Throws InputError if the network has no input.
InputExtents input_extents(const OnnxModel& model, const InputReading& reading = {});

/// Throws InputError if a network cannot be taken, as far as its file tells without a size for open dimensions.
void check_network(const OnnxModel& model, const ImportOptions& options);

/// The operator graph of a network. Throws InputError with all nodes that cannot be taken, and for open dimensions
/// that nothing binds.
OperatorGraph import_network(const OnnxModel& model, const ImportOptions& options);

}  // namespace pimsweep::workload::import
