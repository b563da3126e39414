#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "hardware/gpu/network/kernels.h"
#include "systems/pimflow/machine.h"

namespace pimsweep::systems::pimflow {

using hardware::gpu::network::Network;
using hardware::gpu::network::Node;
using hardware::gpu::network::NodeKind;

/// Time and energy of a part of the work. `seconds` is from start to end; a device is busy for less where it waits for
/// the other.
struct Usage {
  double seconds = 0;
  double gpu_busy = 0;
  double pim_busy = 0;
  /// Without idle power, which is drawn all the time.
  double gpu_joules = 0;
  double pim_joules = 0;

  Usage& operator+=(const Usage& other);
};

/// Cost of the part of a node on PIM; infinite time where PIM cannot compute it.
struct PimCost {
  double seconds = 0;
  double joules = 0;
  /// Bytes fetched from the GPU's channels if each value is fetched once, or once for each PIM channel.
  double fetched_once = 0;
  double fetched_each = 0;

  PimCost& operator+=(const PimCost& other);
};

/// Costs of nodes and parts of nodes on a machine.
class Costs {
 public:
  explicit Costs(const Machine& machine)
      : machine_(machine), kernels_(machine.gpu, machine.precision, machine.pointwise_as_gemm, machine.bias_kernels) {}
  const Machine& machine() const { return machine_; }

  bool offloads(const Node& node) const;
  /// Whether the node is left no choice but PIM.
  bool must_offload(const Node& node) const;
  /// The GPU's kernels.
  const hardware::gpu::network::NetworkKernels& kernels() const { return kernels_; }
  /// `rows` rows of a dense node's output on PIM.
  PimCost pim(const Node& node, std::int64_t rows);
  /// A kernel and a part on PIM that start together; either may be empty.
  Usage together(const hardware::gpu::KernelCost& kernel, const PimCost& part) const;
  Usage alone(const hardware::gpu::KernelCost& kernel) const { return together(kernel, {}); }

 private:
  PimCost evaluate(const hardware::newton::Layer& layer);
  /// Time of the kernel while PIM fetches from the same channels.
  double contended(const hardware::gpu::KernelCost& kernel, const PimCost& part) const;

  Machine machine_;
  hardware::gpu::network::NetworkKernels kernels_;
  hardware::newton::Newton newton_;
  /// PIM costs by the dimensions of a layer: networks repeat layers, and policies try a split more than once.
  std::map<std::array<std::int64_t, 9>, PimCost> known_;
};

}  // namespace pimsweep::systems::pimflow
