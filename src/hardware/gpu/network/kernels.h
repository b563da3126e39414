#pragma once

#include <cstdint>

#include "hardware/gpu/gpu_model.h"
#include "hardware/gpu/network/network.h"

namespace pimsweep::hardware::gpu::network {

/// The kernels of a network's nodes on one card.
class NetworkKernels {
 public:
  /// `pointwise_as_product`: 1x1 convolutions of stride 1 run as the matrix products that they are.
  NetworkKernels(const Device& device, Precision precision, bool pointwise_as_product)
      : model_(device), precision_(precision), pointwise_as_product_(pointwise_as_product) {}

  /// The first `rows` rows of a dense node's output, halo rows of the input included; all other nodes as a whole.
  /// Activation functions are not in it.
  KernelCost rows(const Node& node, std::int64_t rows, const Choice& choice = {}) const;
  KernelCost whole(const Node& node, const Choice& choice = {}) const { return rows(node, node.rows(), choice); }
  /// Activation functions that are counted apart, after the node.
  KernelCost activations(const Node& node) const;
  /// A tensor read and written, as slices, padding and concatenation do.
  KernelCost copy(double elements) const;

  Energy energy(const KernelCost& cost) const { return model_.energy(cost); }

 private:
  GpuModel model_;
  Precision precision_;
  bool pointwise_as_product_;
};

}  // namespace pimsweep::hardware::gpu::network
