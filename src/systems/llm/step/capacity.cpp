#include "systems/llm/step/capacity.h"

#include <algorithm>

#include "workload/decoder/parameters.h"

namespace pimsweep::systems::llm::step {

Capacity capacity_of(const StepContext& context, double tokens) {
  const Machine& m = *context.machine;
  const auto stages = static_cast<double>(context.stages);
  Capacity capacity;
  capacity.weights = workload::decoder::weight_bytes(*context.decoder, context.bits.weights, context.gpus) / stages;
  capacity.sequence_bytes =
      workload::decoder::cached_elements(*context.decoder, context.gpus, tokens) * context.bits.cache / 8 / stages;
  capacity.gpu_memory = m.gpus.usable_share * m.gpus.memory;
  const double pim_memory = static_cast<double>(m.pim.count) * m.pim.memory;
  const double left = capacity.gpu_memory - capacity.weights;
  capacity.room = {.gpu = std::max(0.0, left), .pim = std::max(0.0, std::min(left, 0.0) + pim_memory)};
  return capacity;
}

double cache_room(const Capacity& capacity, const Policy& policy, const Pim& pim) {
  const CacheRoom& room = capacity.room;
  if (!pim.has_own_memory || policy.caches == CachePlace::gpu) return room.gpu;
  return policy.caches == CachePlace::pim ? room.pim : std::max(room.gpu, room.pim);
}

}  // namespace pimsweep::systems::llm::step
