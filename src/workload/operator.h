#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/checked.h"

namespace pimsweep::workload {

/// Extents of a tensor, outermost first; channels come last. Feature maps are {height, width, channels}, token sets
/// are {tokens, channels} or {groups, tokens, channels}.
struct Tensor {
  std::vector<std::int64_t> shape;

  /// Product of the extents; 1 for a scalar (no extents).
  std::int64_t elements() const;
  friend bool operator==(const Tensor&, const Tensor&) = default;
};

/// Height and width of a map or a kernel; a single number stands for a square.
struct Extent {
  constexpr Extent() = default;
  constexpr Extent(std::int64_t side) : height(side), width(side) {}  // NOLINT(google-explicit-constructor): see above
  constexpr Extent(std::int64_t high, std::int64_t wide) : height(high), width(wide) {}

  std::int64_t height = 1;
  std::int64_t width = 1;

  std::int64_t area() const { return Count{height} * width; }
  friend bool operator==(const Extent&, const Extent&) = default;
};

/// Height and width of a feature map {..., height, width, channels}.
Extent map_of(const Tensor& tensor);

enum class OperatorKind : std::uint8_t {
  input,
  embedding,               ///< looks up a row of a learned table for each of its inputs
  linear,                  ///< GEMM with a weight matrix
  matmul,                  ///< GEMM of two activations
  convolution,             ///< including grouped, depthwise and strided convolutions
  transposed_convolution,  ///< the input gradient of a convolution, used as a layer that enlarges the map
  layer_norm,
  batch_norm,
  response_norm,  ///< local response normalization across channels
  softmax,
  activation,    ///< an element-wise function, named by the role: "relu", "relu6", "silu", "sigmoid", "gelu", ...
  add,           ///< element-wise sum of its inputs, or of its input and a learned tensor
  multiply,      ///< element-wise product of two inputs; the second may have one value per channel
  max_pool,      ///< maximum of each window
  average_pool,  ///< mean of each window
  global_pool,   ///< mean over all tokens or over all positions of a map
  concat,        ///< concatenation of the inputs, preceded by a learned tensor if there is one (the class token)
  slice,         ///< part of the input
  reshape,       ///< the same elements in another shape; window partition included
  pad,
  crop,
  gather,  ///< copies of input elements, which may repeat (the surroundings of overlapping windows)
  roll,    ///< cyclic shift
};

std::string_view name_of(OperatorKind kind);

/// `batch` independent GEMMs of (rows x inner) by (inner x columns), to which every linear, matmul and convolution is
/// lowered. A convolution is lowered by im2col: rows are output pixels, inner is kernel area x input channels per
/// group, and batch is the number of groups. For a transposed convolution, rows are input pixels and columns are kernel
/// area x output channels per group.
struct MatrixProduct {
  std::int64_t batch = 0;
  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t columns = 0;

  /// Multiply-accumulates.
  std::int64_t macs() const { return Count{batch} * rows * inner * columns; }
  friend bool operator==(const MatrixProduct&, const MatrixProduct&) = default;
};

/// The sliding window of a convolution or of pooling. A depthwise convolution has as many groups as input channels.
struct ConvolutionWindow {
  Extent kernel = 1;
  std::int64_t stride = 1;
  /// Padding on each side of the map.
  Extent padding = 0;
  std::int64_t groups = 1;

  /// The output extent for an input extent: floor((in + 2 padding - kernel) / stride) + 1, or 0 if the kernel does not
  /// fit.
  Extent output(const Extent& input) const;
  friend bool operator==(const ConvolutionWindow&, const ConvolutionWindow&) = default;
};

/// One operator of a network. All counts are per image.
struct Operator {
  OperatorKind kind = OperatorKind::input;
  /// Unique in the graph: "stage2.block1.q".
  std::string name;
  /// Function in the network: "q", "k", "v", "scores", "softmax", "context", "projection", "fc1", "fc2",
  /// "patch_embedding", "patch_merging", "reduction", ...
  std::string role;
  /// Numbers of the stage and the block, from 1; 0 outside the stages (classifier) or the blocks (patch merging).
  std::int64_t stage = 0;
  std::int64_t block = 0;
  Tensor output;
  /// All zero for operators other than GEMMs.
  MatrixProduct product;
  /// Window of a convolution or of pooling.
  ConvolutionWindow window;
  /// Elements of the weight matrix or the kernels.
  std::int64_t weights = 0;
  /// Uses the weights of an earlier operator, which counts them, for example in the steps of a recurrent layer.
  bool shares_weights = false;
  /// Learned values: weights, biases, scales and offsets of normalization, position tables and tokens.
  std::int64_t parameters = 0;
  /// Learned values that the input does not use: the matrices of experts that other tokens are routed to.
  std::int64_t idle = 0;
  /// Bits in which a quantized network stores a weight or an entry of an embedding, scales and zero points of blocks
  /// included; 0 if it is not quantized: a machine then stores them like all other numbers.
  double weight_bits = 0;

  std::int64_t macs() const { return product.macs(); }
  /// Words of memory that `count` of the weights take: `count`, or fewer for a quantized network.
  std::int64_t stored_words(std::int64_t count, double word_bytes) const;
};

/// The first defect of an operator that reads `inputs`, as the predicate of a sentence ("has an output ..."); empty for
/// a valid operator.
std::string operator_defect(const Operator& node, const std::vector<Tensor>& inputs);

}  // namespace pimsweep::workload
