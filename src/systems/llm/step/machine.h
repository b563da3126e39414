#pragma once

#include <cstdint>

#include "hardware/gpu/language/card.h"
#include "hardware/links/link.h"
#include "systems/llm/step/pim/kinds.h"

namespace pimsweep::systems::llm::step {

using pim::Pim;

/// Factors on the modeled times of classes of kernels, for the error of the model (docs/llm-gpu.md).
struct KernelErrors {
  double elementwise = 1;
  double gemm = 1;
  double decode_attention = 1;
  double prefill_attention = 1;
  double experts = 1;
  double head = 1;
  double sampler = 1;
};

/// GPUs, or processors that work like them: they run any operator.
struct Gpus {
  /// 0: a machine of PIM alone.
  std::int64_t count = 0;
  hardware::gpu::language::Card gpu;
  KernelErrors errors;
  /// Bytes of memory of each.
  double memory = 0;
  /// Share of it for weights and KV cache.
  double usable_share = 1;
  /// Attention loads keys and values once for each head of queries, as vLLM's first paged attention; else once for all
  /// heads that share them.
  bool loads_by_head = false;
  /// Joules of an operation, and of a byte from memory; power of an idle GPU.
  double operation_energy = 0;
  double memory_energy = 0;
  double idle_power = 0;
  /// Between GPUs.
  hardware::links::Link link;
};

/// A machine for language models.
struct Machine {
  Gpus gpus;
  Pim pim;
  /// Time of the host for each step, in which nothing else runs.
  double host_time = 0;
};

/// The constants of a machine as axes "hardware.*", those of all kinds of PIM among them.
void add_machine_axes(AxisList& axes, Machine& machine);

}  // namespace pimsweep::systems::llm::step
