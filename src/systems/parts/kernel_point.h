#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hardware/gpu/kernel_cost.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"
#include "systems/devices/gpu_axes.h"
#include "systems/devices/sheet_axes.h"
#include "systems/parts/language_kernel.h"

namespace pimsweep::systems::parts {

/// A point of the system `kernel`.
struct KernelSettings {
  /// `sheet.precision` is that of `language.numbers`.
  devices::Sheet sheet;
  LanguageSheet language;
  /// 0: all.
  std::int64_t memory_channels = 0;
  devices::GpuCard card;
  devices::ServingGpu language_gpu;
};

/// Its metrics.
struct KernelResult {
  double time = 0;
  devices::SheetTimes sheet;
  double achieved_rate = 0;
  double peak_share = 0;
  std::string_view bound;
  std::string_view algorithm;
  std::string tile;
  double split = 0;
  double launches = 0;
  double operations = 0;
  double executed_operations = 0;
  double memory_bytes = 0;
  double cache_bytes = 0;
  hardware::gpu::Energy parts;
  double energy = 0;
  double power = 0;
  std::string caveat;
};

void add_axes(AxisList& axes, KernelSettings& settings);
void add_metrics(ColumnList& metrics, const KernelResult& result);

}  // namespace pimsweep::systems::parts
