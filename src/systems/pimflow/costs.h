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

/// Time and energy of a part of the work. `seconds` is from begin to end; the devices are busy for less where one
/// waits for the other.
struct Usage {
  double seconds = 0;
  double gpu_busy = 0;
  double pim_busy = 0;
  /// Without idle power, which runs all the time.
  double gpu_joules = 0;
  double pim_joules = 0;

  Usage& operator+=(const Usage& other);
};

/// PIM's part of a node; infinitely long where PIM cannot do it.
struct PimCost {
  double seconds = 0;
  double joules = 0;
  /// Bytes that it fetches from the GPU's channels: each of them once, or by each PIM channel for itself.
  double fetched_once = 0;
  double fetched_each = 0;

  PimCost& operator+=(const PimCost& other);
};

/// What nodes and parts of nodes cost on a machine.
class Costs {
 public:
  explicit Costs(const Machine& machine)
      : machine_(machine), kernels_(machine.gpu, machine.precision, machine.pointwise_as_product) {}
  const Machine& machine() const { return machine_; }

  bool offloads(const Node& node) const;
  /// The GPU's kernels.
  const hardware::gpu::network::NetworkKernels& kernels() const { return kernels_; }
  /// `rows` rows of a dense node's output on PIM.
  PimCost pim(const Node& node, std::int64_t rows);
  /// A kernel and a part on PIM, begun together; either may be nothing.
  Usage together(const hardware::gpu::KernelCost& kernel, const PimCost& part) const;
  Usage alone(const hardware::gpu::KernelCost& kernel) const { return together(kernel, {}); }

 private:
  PimCost evaluate(const hardware::newton::Layer& layer);
  /// The kernel's time while PIM fetches from the same channels.
  double contended(const hardware::gpu::KernelCost& kernel, const PimCost& part) const;

  Machine machine_;
  hardware::gpu::network::NetworkKernels kernels_;
  hardware::newton::Newton newton_;
  /// Networks repeat their layers, and policies try the same split more than once: PIM's parts by what they compute.
  std::map<std::array<std::int64_t, 9>, PimCost> known_;
};

}  // namespace pimsweep::systems::pimflow
