#pragma once

#include <array>
#include <cstdint>

#include "base/bounded_cache.h"
#include "hardware/gpu/network/kernels.h"
#include "systems/pimflow/machine.h"

namespace pimsweep::systems::pimflow {

using hardware::gpu::network::Network;
using hardware::gpu::network::Node;
using hardware::gpu::network::NodeKind;

/// Bytes of a value on PIM.
inline constexpr double pim_word = 2;

/// Time and energy of a part of the work. `seconds` is from start to end; a device is busy for less where it waits for
/// the other.
struct Usage {
  double seconds = 0;
  double gpu_busy = 0;
  double pim_busy = 0;
  /// Without idle power, which is drawn all the time.
  double gpu_joules = 0;
  double pim_joules = 0;
  /// Operations that the GPU carries out, and bytes between it and memory.
  double gpu_operations = 0;
  double gpu_bytes = 0;

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
  /// True if the node has to run on PIM.
  bool must_offload(const Node& node) const;
  /// The GPU's kernels.
  const hardware::gpu::network::NetworkKernels& kernels() const { return kernels_; }
  /// `rows` rows of a node with weights on the GPU, as `kernels().rows`, but remembered.
  hardware::gpu::KernelCost gpu(const Node& node, std::int64_t rows);
  /// `rows` rows of a dense node's output on PIM.
  PimCost pim(const Node& node, std::int64_t rows);
  /// A kernel and a part on PIM that start together; either may be empty.
  Usage together(const hardware::gpu::KernelCost& kernel, const PimCost& part) const;
  Usage alone(const hardware::gpu::KernelCost& kernel) const { return together(kernel, {}); }

 private:
  PimCost evaluate(const hardware::newton::Layer& layer);
  /// Time of the kernel while PIM fetches from the same channels.
  double contended(const hardware::gpu::KernelCost& kernel, const PimCost& part) const;

  /// The parameters of the time of a part on the GPU.
  struct Part {
    NodeKind kind;
    std::array<std::int64_t, 7> sizes;
    workload::ConvolutionWindow window;
    bool gate;
    std::int64_t rows;
    friend bool operator==(const Part&, const Part&) = default;
  };
  struct PartHash {
    std::size_t operator()(const Part& part) const { return combined_hash(KeyHash()(part.sizes), part.rows); }
  };
  /// More than one network's parts, of about 0.2 kB each.
  static constexpr std::size_t max_parts = 8192;

  Machine machine_;
  hardware::gpu::network::NetworkKernels kernels_;
  hardware::newton::Newton newton_;
  /// Policies and stages of pipelines try a split more than once.
  BoundedCache<Part, hardware::gpu::KernelCost, PartHash> on_gpu_{max_parts};
  /// By the dimensions of a layer.
  BoundedCache<std::array<std::int64_t, 9>, PimCost> on_pim_{max_parts};
};

/// Costs on machines, kept from point to point.
class CostCache {
 public:
  /// The reference holds until many others were requested.
  Costs& get(const Machine& machine) {
    return costs_.get(machine, [&] { return Costs(machine); });
  }

 private:
  struct Hash {
    std::size_t operator()(const Machine& machine) const {
      return combined_hash(machine.gpu.memory_bandwidth, machine.gpu.clock, machine.precision, machine.pim.channels,
                           machine.pim.n_gwrite, machine.pim.gwrite_hiding, machine.dram.clock);
    }
  };
  /// As many as the policies of a study have on one machine.
  static constexpr std::size_t max_machines = 6;
  BoundedCache<Machine, Costs, Hash> costs_{max_machines};
};

}  // namespace pimsweep::systems::pimflow
