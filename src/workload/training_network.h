#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workload/operator_graph.h"

namespace pimsweep::workload {

/// A node of a network for training: weighted layers, each with a forward, an error and a gradient GEMM, and the
/// tensors between them. All counts are per image.
///
/// Operators without weights are merged into the tensor that they change: the output of a layer is its tensor after
/// activation, normalization and pooling. A junction, a node without weights, is inserted where tensors meet (sum,
/// concatenation, product of two activations) and where one tensor is read several times.
struct TrainingNode {
  enum class Kind : std::uint8_t { convolution, fully_connected, junction };

  std::string name;
  Kind kind = Kind::junction;
  /// Elements of the kernel or matrix; 0 for a junction.
  std::int64_t weights = 0;
  /// Multiply-accumulates of the forward GEMM, equal to those of the error GEMM and of the gradient GEMM.
  std::int64_t macs = 0;
  /// For a junction: multiply-accumulates of a product of two activations, and the elements that it reads and writes.
  std::int64_t activation_macs = 0;
  std::int64_t activation_elements = 0;
  /// For a layer: multiply-accumulates if the GEMM had as many output positions as the input has (weights x input
  /// height x input width).
  std::int64_t macs_at_input_size = 0;
  /// Elements of the tensor that the layer reads.
  std::int64_t input = 0;
  /// Elements of the output of the GEMM itself (partial sums).
  std::int64_t product_output = 0;
  /// Elements of the tensor that the layer passes on, after pooling.
  std::int64_t output = 0;
  /// Input and output channels, the window of a convolution, and the output positions of the GEMM: rows, or height and
  /// width of a map.
  std::int64_t input_channels = 0;
  std::int64_t output_channels = 0;
  ConvolutionWindow window;
  std::int64_t product_height = 1;
  std::int64_t product_width = 1;

  bool is_layer() const { return kind != Kind::junction; }
};

/// A tensor that one node passes to another; `elements` is its size on arrival.
struct Transition {
  std::size_t from = 0;
  std::size_t to = 0;
  std::int64_t elements = 0;
};

struct TrainingNetwork {
  /// Every node comes after those that it reads.
  std::vector<TrainingNode> nodes;
  /// Ordered by `to`, then by `from`.
  std::vector<Transition> transitions;

  std::int64_t weights() const;
  std::size_t layers() const;
  /// True if each node reads only the previous one.
  bool is_chain() const;
};

/// Reduces an operator graph to its training nodes; operators before the first weighted layer are omitted.
TrainingNetwork training_network(const OperatorGraph& graph);

}  // namespace pimsweep::workload
