#pragma once

#include "hardware/gpu/network/inference.h"
#include "systems/devices/sheet_axes.h"
#include "systems/roofline.h"

namespace pimsweep::systems::devices {

/// Operations in a second of the units that such a kernel runs on.
double peak_rate(const hardware::gpu::Device& device, hardware::gpu::Precision precision, OperationKind kind);

/// Kernels of a network in the roofline of a GPU, with all operations that they carry out, padding included.
RooflinePart gpu_roofline(const hardware::gpu::Device& device, hardware::gpu::Precision precision, double operations,
                          double memory_bytes, double time);
RooflinePart gpu_roofline(const hardware::gpu::Device& device, hardware::gpu::Precision precision,
                          const hardware::gpu::network::Inference& inference);

}  // namespace pimsweep::systems::devices
