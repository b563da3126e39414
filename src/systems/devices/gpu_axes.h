#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "hardware/gpu/device.h"
#include "systems/axis_table.h"

namespace pimsweep::systems::devices {

using hardware::gpu::Precision;

/// GPU as described by the axes of a point.
struct GpuCard {
  /// The name that measured rows have.
  std::string name;
  /// True if the fitted constants come from measured times of this GPU itself.
  bool fitted_on_this_card = false;
  std::int64_t memory_channels = 0;
  double thermal_design_power = 0;
  /// With all memory channels.
  hardware::gpu::Device device;
};

/// Axis "precision": how numbers are stored and multiplied.
inline constexpr std::array precision_words{
    Word{"fp32", Precision::fp32}, Word{"fp16-in/fp32-math", Precision::half_storage},
    Word{"fp16-in/tensor-mixed", Precision::tensor}, Word{"int8", Precision::int8}};
inline constexpr std::string_view precision_doc = "storage and arithmetic of numbers: fp32, fp16 in memory, or int8";

/// Adds the constants of a GPU as axes "hardware.PREFIXkey" (docs/gpu.md).
void add_gpu_axes(AxisList& axes, std::string_view prefix, GpuCard& card);

/// The same for a system that needs a GPU for some points only: without a GPU, texts are empty and numbers are -1.
void add_optional_gpu_axes(AxisList& axes, std::string_view prefix, GpuCard& card);

/// Names of missing axes in a system with an optional GPU.
std::vector<std::string> missing_gpu_axes(std::string_view prefix, const GpuCard& card);

/// Reason why the GPU does not support this precision; empty if it does.
std::string missing_unit(std::string_view prefix, const GpuCard& card, Precision precision);

}  // namespace pimsweep::systems::devices
