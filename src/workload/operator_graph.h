#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pimsweep::workload {

/// Extents of a tensor, outermost first. Feature maps are {height, width, channels}, token sets {tokens, channels} or
/// {groups, tokens, channels}: channels are last.
struct Tensor {
  std::vector<std::int64_t> shape;

  /// Product of the extents; 1 for a scalar (no extents).
  std::int64_t elements() const;
  friend bool operator==(const Tensor&, const Tensor&) = default;
};

/// Height and width of a map or of a kernel; a single number stands for a square.
struct Extent {
  constexpr Extent() = default;
  constexpr Extent(std::int64_t side) : height(side), width(side) {}  // NOLINT(google-explicit-constructor): see above
  constexpr Extent(std::int64_t high, std::int64_t wide) : height(high), width(wide) {}

  std::int64_t height = 1;
  std::int64_t width = 1;

  std::int64_t area() const { return height * width; }
  friend bool operator==(const Extent&, const Extent&) = default;
};

/// Height and width of a feature map {..., height, width, channels}.
Extent map_of(const Tensor& tensor);

enum class OperatorKind : std::uint8_t {
  input,
  embedding,               ///< looks up a row of a learned table for each of its inputs
  linear,                  ///< matrix product with a weight matrix
  matmul,                  ///< matrix product of two activations
  convolution,             ///< grouped, depthwise and strided ones included
  transposed_convolution,  ///< the gradient of a convolution: its output is what that convolution would read
  layer_norm,
  batch_norm,
  response_norm,  ///< local response normalisation across channels
  softmax,
  activation,    ///< a function of each element; the role names it: "relu", "relu6", "silu", "sigmoid", "gelu", ...
  add,           ///< element-wise sum of its inputs, or of its input and a learned tensor
  multiply,      ///< element-wise product of two inputs; the second may hold one value for each channel
  max_pool,      ///< largest value of each window
  average_pool,  ///< mean of each window
  global_pool,   ///< mean over all tokens, or over all positions of a map
  concat,        ///< inputs (and a learned tensor, as the class token) one after the other
  slice,         ///< a part of the input
  reshape,       ///< the same elements in another shape (window partition included)
  pad,
  crop,
  gather,  ///< copies of input elements, some several times, as the surroundings of overlapping windows
  roll,    ///< cyclic shift
};

std::string_view name_of(OperatorKind kind);

/// `batch` independent products (rows x inner) by (inner x columns): what every linear, matmul and convolution comes to
/// (a convolution by im2col: rows are output pixels, inner is kernel area x input channels of a group, batch the
/// groups; a transposed one: rows are input pixels, columns kernel area x output channels).
struct MatrixProduct {
  std::int64_t batch = 0;
  std::int64_t rows = 0;
  std::int64_t inner = 0;
  std::int64_t columns = 0;

  /// Multiply-accumulates.
  std::int64_t macs() const { return batch * rows * inner * columns; }
  friend bool operator==(const MatrixProduct&, const MatrixProduct&) = default;
};

/// A kernel moved over a feature map, by convolution or pooling. Depthwise: groups equal to the input channels.
struct ConvolutionWindow {
  Extent kernel = 1;
  std::int64_t stride = 1;
  /// On each side.
  Extent padding = 0;
  std::int64_t groups = 1;

  /// Output extent for an input extent: floor((in + 2 padding - kernel) / stride) + 1, or 0 where the kernel does not
  /// fit.
  Extent output(const Extent& input) const;
};

/// One operator: what it computes, where it belongs and what it holds. All counts are for one image.
struct Operator {
  OperatorKind kind = OperatorKind::input;
  /// Unique in its graph: "stage2.block1.q".
  std::string name;
  /// What it does in the network: "q", "k", "v", "scores", "softmax", "context", "projection", "fc1", "fc2",
  /// "patch_embedding", "patch_merging", "reduction", ...
  std::string role;
  /// From 1; 0 outside the stages (classifier) or the blocks (patch merging).
  std::int64_t stage = 0;
  std::int64_t block = 0;
  Tensor output;
  /// Zero for operators that are no matrix product.
  MatrixProduct product;
  /// Of a convolution or a pooling.
  ConvolutionWindow window;
  /// Elements of the weight matrix or the kernels.
  std::int64_t weights = 0;
  /// Uses the weights of an earlier operator, as the steps of a recurrent layer do: they are counted there, not here.
  bool shares_weights = false;
  /// Learned values: weights, biases, normalisation, position tables and tokens.
  std::int64_t parameters = 0;

  std::int64_t macs() const { return product.macs(); }
};

using OperatorId = std::size_t;

/// A directed graph of operators; an edge carries the tensor that its source hands to its target.
class OperatorGraph {
 public:
  OperatorGraph();
  ~OperatorGraph();
  OperatorGraph(OperatorGraph&&) noexcept;
  OperatorGraph& operator=(OperatorGraph&&) noexcept;

  /// Adds an operator that reads the outputs of `inputs`, in this order.
  OperatorId add(const Operator& node, std::span<const OperatorId> inputs);
  /// Adds one more input to `target`.
  void connect(OperatorId source, OperatorId target);

  /// Number of operators; ids are 0 to size() - 1.
  std::size_t size() const;
  /// Throws std::out_of_range if there is no such operator.
  const Operator& at(OperatorId id) const;
  /// Every operator after all its predecessors. Throws std::logic_error if the graph has a cycle.
  std::vector<OperatorId> topological_order() const;
  /// In the order of the inputs.
  std::vector<OperatorId> predecessors(OperatorId id) const;
  std::vector<OperatorId> successors(OperatorId id) const;
  /// The tensors that reach an operator, in the order of the inputs.
  std::vector<Tensor> inputs(OperatorId id) const;

  /// Learned values of all operators.
  std::int64_t parameters() const;
  /// Elements of all weight matrices and kernels: parameters without biases, normalisation and position tables.
  std::int64_t weights() const;
  /// Multiply-accumulates of matrix products and convolutions; normalisation, activation and bias are not counted.
  std::int64_t macs() const;
  /// Output elements of all operators.
  std::int64_t activations() const;

  /// What is wrong with the graph, a sentence each: a cycle, a name used twice, shapes that do not fit the operator.
  /// Empty for a sound graph.
  std::vector<std::string> defects() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace pimsweep::workload
