#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/gpu/network/network.h"
#include "hardware/silicon/silicon.h"
#include "systems/axis_table.h"
#include "systems/devices/gpu_axes.h"
#include "systems/pimflow/machine.h"
#include "workload/input_size.h"

namespace pimsweep::systems::pimflow {

struct Policy;

/// The section of the GPU's constants: axes "hardware.gpu.*".
inline constexpr std::string_view gpu_prefix = "gpu.";

/// Optimizations of PIM's commands: those of the policy, or these.
struct CommandOptimizations {
  bool by_policy = true;
  bool hiding = false;
  bool buffers = false;

  friend bool operator==(const CommandOptimizations&, const CommandOptimizations&) = default;
};

/// A design point in the types of the model. Texts live as long as the point.
struct Settings {
  std::string_view model;
  workload::InputSize size;
  std::int64_t batch = 0;
  const Policy* policy = nullptr;
  /// Memory channels left to the GPU, where the policy divides them.
  std::int64_t memory_channels = 0;
  hardware::newton::Controller controller = hardware::newton::Controller::artifact;
  CommandOptimizations command_optimizations;
  std::int64_t n_gwrite = 0;
  std::int64_t split_interval = 0;
  std::int64_t stages = 0;
  Offload offload;
  bool memory_optimizer = true;
  Contention contention = Contention::none;
  hardware::gpu::network::ElementwiseMode elementwise = hardware::gpu::network::ElementwiseMode::fused;
  bool pointwise_as_gemm = false;
  bool bias_kernels = false;
  bool fully_connected_on_pim = false;
  /// True if PIM channels take their part of the GPU's second-level cache.
  bool cache_by_channel = false;
  bool record_timeline = false;
  hardware::gpu::Precision precision = hardware::gpu::Precision::fp32;
  devices::GpuCard card;
  hardware::newton::Dram dram;
  double synchronization = 0;
  hardware::silicon::Densities silicon;
};

/// Operators for which the point's machine has kernels. Throws PointError for activation functions that would count
/// twice.
hardware::gpu::network::ElementwiseMode elementwise_mode(const Settings& settings);

AxisTable<Settings> make_axes(const std::vector<std::string>& models);

/// The GPU alone, with all memory channels.
Machine gpu_alone(const Settings& settings);

/// The machine as the policy uses it. Throws PointError where the memory channels cannot be divided.
Machine machine_of(const Settings& settings);

}  // namespace pimsweep::systems::pimflow
