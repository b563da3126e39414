#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hardware/gpu/element_kernel.h"
#include "hardware/gpu/stream_load.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"
#include "systems/devices/gpu_axes.h"
#include "systems/devices/sheet_axes.h"

namespace pimsweep::systems::parts {

inline constexpr std::array gpu_co_run_words{
    Word{"serial", hardware::gpu::CoRun::serial}, Word{"streams", hardware::gpu::CoRun::streams},
    Word{"processes", hardware::gpu::CoRun::processes}, Word{"mps", hardware::gpu::CoRun::mps}};

/// A point of the system `gpu-streams`.
struct GpuStreamsSettings {
  devices::Sheet sheet;
  /// 0: as many as are fastest.
  hardware::gpu::LaunchShape launch;
  /// The launch that losses compare with.
  hardware::gpu::LaunchShape other;
  hardware::gpu::CoRun co_run = hardware::gpu::CoRun::serial;
  double runs = 1;
  double host_time = 0;
  hardware::gpu::ThreadUnits units;
  devices::GpuCard card;
};

/// Its metrics. Convolutions are launched by the library.
struct GpuStreamsResult {
  double time = 0;
  double launch_time = 0;
  double work_time = 0;
  double run_time = 0;
  std::string_view bound;
  std::optional<double> threads, blocks, occupancy, waves, elements_each, thread_loss, block_loss;
  double pair_time = 0;
  std::string_view pair_bound;
  double speedup = 0;
  double makespan = 0;
  std::string caveat;
};

void add_axes(AxisList& axes, GpuStreamsSettings& settings);
void add_metrics(ColumnList& metrics, const GpuStreamsResult& result);

}  // namespace pimsweep::systems::parts
