#pragma once

#include "systems/llm/step/step_plan.h"

namespace pimsweep::systems::llm::step {

/// Memory for a model on a machine: bytes on each GPU and its PIM.
struct Capacity {
  double weights = 0;
  /// KV cache of a sequence.
  double sequence_bytes = 0;
  /// Usable memory of a GPU.
  double gpu_memory = 0;
  /// Memory that weights leave for KV caches.
  CacheRoom room;

  bool fits_weights() const { return weights <= gpu_memory; }
};

/// Capacity for sequences of `tokens` each. GPUs keep all weights; where they do not fit, PIM has the rest of them.
Capacity capacity_of(const StepContext& context, double tokens);

/// Bytes for KV caches where the policy keeps them.
double cache_room(const Capacity& capacity, const Policy& policy, const Pim& pim);

}  // namespace pimsweep::systems::llm::step
