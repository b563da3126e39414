#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/operator_graph.h"
#include "workload/parameter_reader.h"

namespace pimsweep::workload::families {

/// A layer of a network without branches, as written in a model file: "conv1 = conv 5x5 20 stride 2".
struct Layer {
  OperatorKind kind = OperatorKind::convolution;
  /// The word for its kind: "conv", "fc", "relu", ...
  std::string word;
  /// The given name, or the word and a number: "conv1" is the first conv of the network.
  std::string name;
  /// Channels of a map or outputs of a fully connected layer; 0 for layers that keep the number of their input.
  std::int64_t outputs = 0;
  /// Window of a convolution or of pooling. For "reshape", the kernel is the size of the map.
  ConvolutionWindow window;
  /// Whether "pad same" was given.
  bool same = false;
  bool bias = true;
  PlacedText text;
};

/// Reads the layers, whose language is described in docs/models.md. Every problem is reported to `reader` at the
/// position of its word; layers that cannot be read are left out.
std::vector<Layer> read_layers(const std::vector<PlacedText>& texts, ParameterReader& reader);

}  // namespace pimsweep::workload::families
