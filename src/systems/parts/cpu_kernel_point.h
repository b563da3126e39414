#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hardware/manycore/operations.h"
#include "hardware/manycore/run_time.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"
#include "systems/devices/cpu_axes.h"
#include "systems/devices/gpu_axes.h"
#include "systems/devices/sheet_axes.h"

namespace pimsweep::systems::parts {

/// Co-running of two operations: in sequence, on the same cores, or on separate cores.
enum class CpuCoRun : std::uint8_t { serial, hyper_threads, partition };

/// A measured operation.
struct ProfiledRun {
  /// Seconds with all cores; 0: not measured, the model gives the time.
  double seconds = 0;
  /// Share of its performance that the operation loses with half of the cores.
  double loss = 0;
};

/// A point of the system `cpu-kernel`.
struct CpuKernelSettings {
  devices::Sheet sheet;
  /// Values that an optimizer keeps for each parameter.
  double states = 0;
  /// 0: one for each core.
  std::int64_t threads = 0;
  hardware::manycore::Affinity affinity = hardware::manycore::Affinity::compact;
  hardware::manycore::Library library = hardware::manycore::Library::mkl_2017;
  bool in_tensorflow = false;
  bool search = false;
  /// Second pass, which runs at the same time as the chosen one.
  std::optional<hardware::Pass> beside;
  CpuCoRun co_run = CpuCoRun::serial;
  /// Measured times of both passes, in place of the model's.
  ProfiledRun profile, profile_beside;
  devices::Cpu cpu;
};

/// Its metrics.
struct CpuKernelResult {
  double time = 0;
  devices::SheetTimes sheet;
  double achieved_rate = 0;
  double peak_share = 0;
  std::string_view bound;
  hardware::manycore::RunTime run;
  double spawn_time = 0;
  double operations = 0;
  std::string parts;
  std::optional<double> best_threads, best_time, gain_over_all_cores;
  std::optional<double> makespan, speedup;
  std::string caveat;
};

void add_axes(AxisList& axes, CpuKernelSettings& settings);
void add_metrics(ColumnList& metrics, const CpuKernelResult& result);

/// The word of the axis co_run.
std::string_view word_of(CpuCoRun co_run);

}  // namespace pimsweep::systems::parts
