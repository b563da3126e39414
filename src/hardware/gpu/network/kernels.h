#pragma once

#include <cstdint>

#include "hardware/gpu/gpu_model.h"
#include "hardware/gpu/network/network.h"

namespace pimsweep::hardware::gpu::network {

/// The kernels of a network's nodes on one card.
class NetworkKernels {
 public:
  /// `pointwise_as_product`: 1x1 convolutions of stride 1 run as GEMMs.
  NetworkKernels(const Device& device, Precision precision, bool pointwise_as_product)
      : model_(device), precision_(precision), pointwise_as_product_(pointwise_as_product) {}

  /// The first `rows` rows of a dense node's output, halo rows of the input included; other nodes are computed whole.
  /// Activation functions are excluded.
  KernelCost rows(const Node& node, std::int64_t rows) const;
  KernelCost whole(const Node& node) const { return rows(node, node.rows()); }
  /// Activation functions that are counted separately, after the node.
  KernelCost activations(const Node& node) const;
  /// A tensor read and written, as by slices, padding and concatenation.
  KernelCost copy(double elements) const;

  Energy energy(const KernelCost& cost) const { return model_.energy(cost); }

 private:
  GpuModel model_;
  Precision precision_;
  bool pointwise_as_product_;
};

}  // namespace pimsweep::hardware::gpu::network
