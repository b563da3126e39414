#pragma once

#include <array>
#include <cstdint>

#include "base/words.h"
#include "hardware/gpu/gpu_model.h"
#include "hardware/gpu/network/network.h"

namespace pimsweep::hardware::gpu::network {

/// Run 1x1 convolutions of stride 1 as GEMMs.
inline constexpr std::array pointwise_words{Word{"convolution", false}, Word{"gemm", true}};

/// The kernels of a network's nodes on one GPU.
class NetworkKernels {
 public:
  /// `pointwise_as_gemm`: one of pointwise_words. `bias_kernels`: bias and activation function are a separate kernel
  /// after each convolution and fully connected layer.
  NetworkKernels(const Device& device, Precision precision, bool pointwise_as_gemm, bool bias_kernels = false)
      : model_(device), precision_(precision), pointwise_as_gemm_(pointwise_as_gemm), bias_kernels_(bias_kernels) {}

  /// The first `rows` rows of a dense node's output, including halo rows of the input; other nodes are computed whole.
  /// Includes the kernel of the bias, if there is one; excludes further activation functions and sums.
  KernelCost rows(const Node& node, std::int64_t rows, const Choice& choice = {}) const;
  KernelCost whole(const Node& node, const Choice& choice = {}) const { return rows(node, node.rows(), choice); }
  /// Activation functions that are counted separately, after the node.
  KernelCost activations(const Node& node) const;
  /// The sum or product after the node, in the kernel of its bias or in a separate one; nullopt if there is none.
  KernelCost merged(const Node& node, bool in_bias_kernel) const;
  /// A copy: a tensor read and written, as by slices, padding and concatenation.
  KernelCost copy(double elements) const;

  Energy energy(const KernelCost& cost) const { return model_.energy(cost); }

 private:
  KernelCost rows_alone(const Node& node, std::int64_t rows, const Choice& choice) const;

  GpuModel model_;
  Precision precision_;
  bool pointwise_as_gemm_;
  bool bias_kernels_;
};

}  // namespace pimsweep::hardware::gpu::network
