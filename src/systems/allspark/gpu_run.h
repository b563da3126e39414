#pragma once

#include <cstddef>

#include "hardware/gpu/network/inference.h"
#include "hardware/gpu/network/network_cache.h"
#include "systems/gpu_axes.h"
#include "systems/system.h"

namespace pimsweep::systems::allspark {

/// Runs the model, image and batch of a point on the graphics card beside the PIM system (Sec. VIII-C, Figure 16).
class GpuRun {
 public:
  GpuRun(const Schema& schema, const workload::ModelLibrary& models);

  /// Throws PointError where the hardware has no card, or one without the precision.
  hardware::gpu::network::Inference operator()(const Point& point);

  /// Appends the axes of the card and of how it is used.
  static void append_axes(std::vector<Axis>& axes);

 private:
  DeviceReader device_;
  hardware::gpu::network::NetworkCache networks_;
  std::size_t model_, image_px_, batch_, precision_, elementwise_, launches_;
};

}  // namespace pimsweep::systems::allspark
