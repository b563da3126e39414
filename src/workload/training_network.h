#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workload/operator_graph.h"

namespace pimsweep::workload {

/// What a network is for training: its weighted layers, each of which is a forward product, an error product and a
/// gradient product, and the tensors between them. Everything is counted for one image.
///
/// Operators without weights belong to the tensor that they change: a layer's output is what is left of it after
/// activation, normalisation and pooling. Where tensors meet (sum, concatenation, product of two activations) or one
/// tensor is read several times, a junction stands: a node without weights.
struct TrainingNode {
  enum class Kind : std::uint8_t { convolution, fully_connected, junction };

  std::string name;
  Kind kind = Kind::junction;
  /// Elements of the kernel or matrix; 0 for a junction.
  std::int64_t weights = 0;
  /// Multiply-accumulates of the forward product; the error and the gradient product have as many.
  std::int64_t macs = 0;
  /// Of a junction: multiply-accumulates of a product of two activations, and the elements that it reads and writes.
  std::int64_t activation_macs = 0;
  std::int64_t activation_elements = 0;
  /// Of a layer: the same as macs, had the product as many output positions as its input has (weights x input height x
  /// width).
  std::int64_t macs_at_input_size = 0;
  /// Elements of the tensor that the layer reads.
  std::int64_t input = 0;
  /// Elements that the product itself gives: partial sums.
  std::int64_t product_output = 0;
  /// Elements of the tensor that is handed on, after pooling.
  std::int64_t output = 0;
  /// Input and output channels, positions at which the product is taken (rows, or height and width of a map) and a
  /// convolution's window.
  std::int64_t input_channels = 0;
  std::int64_t output_channels = 0;
  ConvolutionWindow window;
  std::int64_t product_height = 1;
  std::int64_t product_width = 1;

  bool is_layer() const { return kind != Kind::junction; }
};

/// A tensor handed from a node to another; `elements` is its size where it arrives.
struct Transition {
  std::size_t from = 0;
  std::size_t to = 0;
  std::int64_t elements = 0;
};

struct TrainingNetwork {
  /// Every node after those that it reads from.
  std::vector<TrainingNode> nodes;
  /// In order of `to`, then of `from`.
  std::vector<Transition> transitions;

  std::int64_t weights() const;
  std::size_t layers() const;
  /// Whether each node reads from the one before it and from no other.
  bool is_chain() const;
};

/// Reduces an operator graph; what comes before the first weighted layer is not part of it.
TrainingNetwork training_network(const OperatorGraph& graph);

}  // namespace pimsweep::workload
