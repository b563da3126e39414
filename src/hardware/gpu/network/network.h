#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workload/operator_graph.h"

namespace pimsweep::hardware::gpu::network {

/// What kind of work a node is.
enum class NodeKind : std::uint8_t { convolution, fully_connected, depthwise, other };
std::string_view name_of(NodeKind kind);

/// How a node of kind `other` is computed.
enum class OtherWork : std::uint8_t { none, matmul, grouped_convolution, transposed_convolution, pooling, elementwise };

/// One operator that takes time. Sizes in elements; the batch is part of them: images of a convolution, rows of a fully
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
  /// Elements of activation functions that follow and are counted as kernels of their own.
  double activations = 0;
  /// Of the sum or product that a kernel for the bias includes (ElementwiseMode::with_bias): elements of its result, 0
  /// without one, and of what it reads beside this node's result.
  double merged_elements = 0;
  double merged_reads = 0;
  /// A layer of squeeze-and-excitation, which frameworks write as a 1x1 convolution.
  bool gate = false;
  std::int64_t macs = 0;
  /// The node whose result only this node reads, with only normalization and activation functions in between.
  std::optional<std::size_t> follows;
  /// The first node of the network that does the same work, if that is an earlier one: it takes as long, and what is
  /// best for it is best here.
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
  /// Multiply-accumulates for each element read or written once.
  double intensity() const;
  friend bool operator==(const Node&, const Node&) = default;
};

/// The kernels of a network, in topological order.
using Network = std::vector<Node>;

/// Which further operators become kernels, beside GEMMs, convolutions, pooling, sums and the like.
enum class ElementwiseMode : std::uint8_t {
  /// Normalization after a convolution or fully connected layer is folded into its weights; activation functions are
  /// part of what computes their input; reshapes and slices are views.
  fused,
  /// As `fused`, but activation functions are kernels of their own.
  counted,
  /// As `fused`, and sums and products are part of the kernel that adds the bias of the layer that they read last,
  /// where the device has such a kernel.
  with_bias,
  /// Operator by operator: nothing is folded, and reshapes between maps, windows and tokens copy. So does attention:
  /// the operands of its GEMMs, which are stored head by head, and its result.
  eager,
};

Network make_network(const workload::OperatorGraph& graph, std::int64_t batch, ElementwiseMode mode);

}  // namespace pimsweep::hardware::gpu::network
