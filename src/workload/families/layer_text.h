#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workload/operator_graph.h"
#include "workload/parameter_reader.h"

namespace pimsweep::workload::families {

/// A layer of a network without branches, as a model file writes it: "conv1 = conv 5x5 20 stride 2".
struct Layer {
  OperatorKind kind = OperatorKind::convolution;
  /// Its first word: "conv", "fc", "relu", ...
  std::string word;
  /// As given, or the word and a number: "conv1" is the first conv of the network.
  std::string name;
  /// Channels of a map or outputs of a fully connected layer; 0 for layers that keep them.
  std::int64_t outputs = 0;
  /// Of convolutions and pooling; its kernel is the map's size for "reshape".
  ConvolutionWindow window;
  /// "pad same".
  bool same = false;
  bool bias = true;
  PlacedText text;
};

/// Reads the layers (the language is in docs/models.md). Whatever is wrong goes to `reader`, at the place of its word;
/// layers that cannot be read are left out.
std::vector<Layer> read_layers(const std::vector<PlacedText>& texts, ParameterReader& reader);

}  // namespace pimsweep::workload::families
