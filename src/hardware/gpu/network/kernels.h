#pragma once

#include <array>
#include <cstdint>

#include "base/words.h"
#include "hardware/gpu/gpu_model.h"
#include "hardware/gpu/network/network.h"

namespace pimsweep::hardware::gpu::network {

/// Whether 1x1 convolutions of stride 1 run as GEMMs.
inline constexpr std::array pointwise_words{Word{"convolution", false}, Word{"gemm", true}};

/// The kernels of a network's nodes on one card.
class NetworkKernels {
 public:
  /// `pointwise_as_gemm`: one of pointwise_words.
  NetworkKernels(const Device& device, Precision precision, bool pointwise_as_gemm)
      : model_(device), precision_(precision), pointwise_as_gemm_(pointwise_as_gemm) {}

  /// The first `rows` rows of a dense node's output, halo rows of the input included; other nodes are computed whole.
  /// Activation functions are excluded.
  KernelCost rows(const Node& node, std::int64_t rows, const Choice& choice = {}) const;
  KernelCost whole(const Node& node, const Choice& choice = {}) const { return rows(node, node.rows(), choice); }
  /// Activation functions that are counted separately, after the node.
  KernelCost activations(const Node& node) const;
  /// A tensor read and written, as by slices, padding and concatenation.
  KernelCost copy(double elements) const;

  Energy energy(const KernelCost& cost) const { return model_.energy(cost); }

 private:
  GpuModel model_;
  Precision precision_;
  bool pointwise_as_gemm_;
};

}  // namespace pimsweep::hardware::gpu::network
