#pragma once

#include <cstdint>

#include "hardware/gpu/network/network_cache.h"
#include "systems/pimflow/policy.h"
#include "systems/pimflow/schema.h"

namespace pimsweep::systems::pimflow {

/// A design point taken apart: what runs, on what, and how it was planned.
struct InferencePoint {
  InferencePoint(const PointReader& reader, const Point& point, hardware::gpu::network::NetworkCache& cache);

  const Network& network;
  const Policy& policy;
  Costs costs;
  /// Of the GPU alone with all channels.
  Costs baseline;
  std::int64_t batch;
  std::int64_t split_interval;
  Plan plan;
};

}  // namespace pimsweep::systems::pimflow
