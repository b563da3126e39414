#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/gpu/network/inference.h"
#include "hardware/gpu/network/network.h"
#include "hardware/silicon/silicon.h"
#include "systems/allspark/interactions.h"
#include "systems/allspark/machine.h"
#include "systems/allspark/policy.h"
#include "systems/axis_table.h"
#include "systems/devices/gpu_axes.h"
#include "workload/input_size.h"

namespace pimsweep::systems::allspark {

/// Execution of a model.
enum class Execution : std::uint8_t {
  /// The branches of its encoder blocks on the node array, as a policy schedules them.
  schedule,
  /// Any operator graph on the node array, operator after operator (docs/crossover.md).
  operators,
  /// All PEs busy with multiply-accumulates, nothing moved: a lower bound.
  ideal,
  /// The whole network on a GPU, for comparison with the node array (Figure 16).
  gpu
};

/// Axes "hardware.gpu.*" are the constants of the GPU.
inline constexpr std::string_view gpu_prefix = "gpu.";

/// GPU that the node array is compared with, and options for running a network on it.
struct GpuSettings {
  devices::Precision precision = devices::Precision::fp32;
  hardware::gpu::network::ElementwiseMode elementwise = hardware::gpu::network::ElementwiseMode::eager;
  hardware::gpu::network::Launches launches = hardware::gpu::network::Launches::queued;
  /// Samples per second measured at `throughput_batch` and the model's own size, to which the GPU's time is scaled at
  /// all sizes and batches; 0 for none.
  double throughput = 0;
  std::int64_t throughput_batch = 64;
  devices::GpuCard card;
};

/// A point of the system "allspark".
struct Settings {
  std::string_view model;
  workload::InputSize input;
  Execution execution = Execution::schedule;
  const Policy* policy = nullptr;
  PolicyOptions options;
  Conditions conditions;
  PlacementOptions placement;
  bool record_timeline = false;
  Machine machine;
  EnergyCosts energy;
  hardware::silicon::Densities silicon;
  GpuSettings gpu;
};

/// The axes of the system "allspark", each bound to its member of Settings.
AxisTable<Settings> make_axes(const std::vector<std::string>& models);

}  // namespace pimsweep::systems::allspark
