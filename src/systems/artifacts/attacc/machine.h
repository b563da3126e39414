#pragma once

#include <cstdint>

#include "hardware/attention_pim/clocks.h"
#include "hardware/attention_pim/device.h"
#include "hardware/attention_pim/published_clocks.h"
#include "systems/llm/step/step_run.h"

namespace pimsweep::systems::artifacts::attacc {

/// Function between the GEMMs of a feed-forward network: of single elements, or of pairs (gated), for which the first
/// GEMM has two matrices.
enum class FeedForward : std::uint8_t { gelu, relu, gated };

/// Equal decoder blocks. Embedding and head are left out, as the artifact does.
struct Model {
  std::int64_t layers = 0;
  std::int64_t hidden = 0;
  std::int64_t heads = 0;
  /// Rows of the feed-forward matrices over `hidden`; a whole number of rows is not asked for.
  double feed_forward_scale = 4;
  FeedForward feed_forward = FeedForward::gelu;

  std::int64_t head_size() const { return hidden / heads; }
};

/// Time of a kernel that goes over its data once: a line through measured times of an A100.
struct ElementKernel {
  /// s/byte at `Gpu::measured_bandwidth`.
  double per_byte = 0;
  double fixed = 0;
};

/// Energies of a byte and of a multiplication, in J.
struct GpuEnergy {
  double registers = 0;
  double core_memory = 0;
  double cache = 0;
  double memory = 0;
  double link = 0;
  double multiply = 0;
};

/// A GPU; SI units.
struct Gpu {
  std::int64_t cores = 0;
  /// FLOPS with values of 16 bits.
  double peak = 0;
  double bandwidth = 0;
  /// Bytes of a core's memory and of the shared cache.
  double core_memory = 0;
  double cache = 0;
  /// Both directions together, byte/s.
  double link_bandwidth = 0;
  /// Shares of peak throughput and bandwidth that GEMMs reach.
  double peak_share = 0;
  double bandwidth_share = 0;
  ElementKernel activation = {};
  ElementKernel norm = {};
  /// Bandwidth and link of the GPU that kernels and all-reduce were measured on.
  double measured_bandwidth = 0;
  double measured_link = 0;
  /// One step of an all-reduce: s, and s/byte at `measured_link`.
  double reduce_fixed = 0;
  double reduce_per_byte = 0;
  GpuEnergy energy = {};
};

/// Stacks with AttAcc's units.
struct AttAcc {
  std::int64_t units = 0;
  /// Stacks of a unit.
  std::int64_t stacks = 0;
  hardware::attention_pim::Device stack = {};
  hardware::attention_pim::ClockOptions options = {};
  /// If set, clocks are looked up here instead of modeled.
  const hardware::attention_pim::PublishedClocks* published = nullptr;
  /// byte/s that a stack gives to the outside, and the multiple of it that its multipliers get.
  double stack_bandwidth = 0;
  double gain = 0;
  double link_bandwidth = 0;
  /// J of a byte of the softmax unit's memory.
  double softmax_memory = 0;

  /// byte/s that the multipliers of a unit get.
  double bandwidth() const { return stack_bandwidth * gain * static_cast<double>(stacks); }
};

/// GPUs that share each layer, with AttAcc for the attention or without.
struct Cluster {
  Gpu gpu = {};
  std::int64_t gpus = 0;
  const AttAcc* pim = nullptr;
};

using llm::step::Pipelining;

/// Accounting of steps. Defaults are those of the artifact.
struct Accounting {
  Pipelining pipelining = Pipelining::transfers;
  /// Feed-forward GEMMs are shared with AttAcc (--ffopt).
  bool shared_feed_forward = false;
  /// Faults of the artifact; `false` fixes each separately. AttAcc's softmax is missing in the sum of times.
  bool softmax_dropped = true;
  /// Energies per bit are used as energies per byte for AttAcc's data movements.
  bool moves_per_byte = true;
  /// AttAcc's GEMVs of scores and values lack the energy of multiplications.
  bool context_products_free = true;
  /// A kernel of elements computes on one core of a GPU.
  bool elements_on_one_core = true;
};

/// Sequences in a step, and bytes of a value.
struct Load {
  std::int64_t batch = 0;
  double value_bytes = 2;
};

}  // namespace pimsweep::systems::artifacts::attacc
