#pragma once

#include "hardware/gpu/network/inference.h"
#include "hardware/gpu/network/network_cache.h"
#include "systems/allspark/settings.h"

namespace pimsweep::systems::allspark {

/// Runs the model and batch of a point on the graphics card beside the PIM system (Sec. VIII-C, Figure 16).
class GpuRun {
 public:
  explicit GpuRun(const workload::ModelLibrary& models) : models_(models), networks_(models) {}

  /// With a measured throughput, `seconds` is scaled to it; kernels and energy are the model's. Throws PointError where
  /// the hardware has no card, or one without the precision.
  hardware::gpu::network::Inference operator()(const Settings& settings);

 private:
  hardware::gpu::network::Inference run(const Settings& settings, std::int64_t size, std::int64_t batch);

  const workload::ModelLibrary& models_;
  hardware::gpu::network::NetworkCache networks_;
};

}  // namespace pimsweep::systems::allspark
