#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workload/operator_graph.h"

namespace pimsweep::hardware::gpu::network {

/// Kind of work of a node.
enum class NodeKind : std::uint8_t { convolution, fully_connected, depthwise, other };
std::string_view name_of(NodeKind kind);

/// Computation of a node of kind `other`.
enum class OtherWork : std::uint8_t { none, matmul, grouped_convolution, transposed_convolution, pooling, elementwise };

/// One operator that takes time. Sizes in elements, including the batch: images of a convolution, rows of a fully
/// connected layer, which is written as a 1x1 convolution over an image of width 1.
struct Node {
  std::string name;
  NodeKind kind = NodeKind::other;
  OtherWork work = OtherWork::none;
  std::int64_t images = 1;
  std::int64_t height = 1;
  std::int64_t width = 1;
  std::int64_t inputs = 1;
  std::int64_t outputs = 1;
  workload::ConvolutionWindow window;
  /// Output map of the operator; for a transposed convolution, that of the convolution that it reverses.
  std::int64_t out_height = 1;
  std::int64_t out_width = 1;
  /// For OtherWork::matmul.
  workload::MatrixProduct product;
  /// For OtherWork::elementwise: elements of the result, and number of tensors of this size that are read.
  double elements = 0;
  double tensors = 1;
  /// Elements of activation functions that follow and are counted as separate kernels.
  double activations = 0;
  /// For a sum or product that the bias kernel includes (ElementwiseMode::with_bias): elements of its result, 0 without
  /// one, and of its inputs other than this node's result.
  double merged_elements = 0;
  double merged_reads = 0;
  /// A layer of squeeze-and-excitation, which frameworks write as a 1x1 convolution.
  bool gate = false;
  std::int64_t macs = 0;
  /// The node whose result only this node reads, with only normalization and activation functions in between.
  std::optional<std::size_t> follows;
  /// The first node of the network that does the same work, if it is an earlier one: both take the same time and have
  /// the same best configuration.
  std::optional<std::size_t> repeats;

  bool has_weights() const;
  /// A GEMM of activations and weights, whose rows are independent.
  bool dense() const { return kind == NodeKind::convolution || kind == NodeKind::fully_connected; }
  bool pointwise() const { return kind == NodeKind::convolution && window.kernel.area() == 1; }
  /// Rows of the output map.
  std::int64_t rows() const { return out_height; }
  /// Rows of the input that the first `rows` rows of the output need.
  std::int64_t input_rows(std::int64_t rows) const;
  double input_elements() const;
  double output_elements() const;
  /// Multiply-accumulates per element read or written once.
  double intensity() const;
  friend bool operator==(const Node&, const Node&) = default;
};

/// The kernels of a network, in topological order.
using Network = std::vector<Node>;

/// Operators that become kernels, in addition to GEMMs, convolutions, pooling and element-wise sums.
enum class ElementwiseMode : std::uint8_t {
  /// Normalization after a convolution or fully connected layer is folded into its weights; activation functions are
  /// part of the computation of their input; reshapes and slices are views.
  fused,
  /// Like `fused`, but activation functions are separate kernels.
  counted,
  /// Like `fused`, and sums and products are part of the bias kernel of the last layer that they read, if the device
  /// has such a kernel.
  with_bias,
  /// Operator by operator: nothing is folded, and reshapes between maps, windows and tokens copy. Attention also
  /// copies: the operands of its GEMMs, which are stored head by head, and its result.
  eager,
};

Network make_network(const workload::OperatorGraph& graph, std::int64_t batch, ElementwiseMode mode);

}  // namespace pimsweep::hardware::gpu::network
