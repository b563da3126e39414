#include "systems/pimflow/settings.h"

#include <fmt/format.h>

#include "base/error.h"
#include "systems/pimflow/policy.h"

namespace pimsweep::systems::pimflow {

namespace {

std::int64_t pim_channels(const Settings& settings) {
  const std::int64_t all = settings.card.memory_channels;
  const std::int64_t pim = all - settings.memory_channels;
  if (pim <= 0) {
    throw PointError(
        fmt::format("memory_channels leaves the GPU {} of {} channels (hardware.gpu.memory.channels), but at least one "
                    "has to be left to PIM",
                    settings.memory_channels, all));
  }
  if (pim > hardware::newton::max_channels) {
    throw PointError(fmt::format("{} PIM channels: at most {} are modeled", pim, hardware::newton::max_channels));
  }
  return pim;
}

}  // namespace

hardware::gpu::network::ElementwiseMode elementwise_mode(const Settings& settings) {
  using hardware::gpu::network::ElementwiseMode;
  if (!settings.bias_kernels) return settings.elementwise;
  if (settings.elementwise == ElementwiseMode::counted) {
    throw PointError("elementwise = 'counted' and hardware.bias = 'kernel' would count activation functions twice");
  }
  return ElementwiseMode::with_bias;
}

Machine gpu_alone(const Settings& settings) {
  Machine machine;
  machine.gpu = settings.card.device;
  machine.precision = settings.precision;
  machine.bias_kernels = settings.bias_kernels;
  machine.pointwise_as_gemm = settings.pointwise_as_gemm;
  machine.dram = settings.dram;
  machine.pim = {.controller = settings.controller,
                 .fidelity = hardware::newton::Fidelity::closed_form,
                 .channels = 0,
                 .n_gwrite = 1,
                 .gwrite_hiding = false};
  machine.offload = {.convolutions = false, .fully_connected = false};
  machine.memory_optimizer = settings.memory_optimizer;
  machine.contention = settings.contention;
  machine.synchronization = settings.synchronization;
  return machine;
}

Machine machine_of(const Settings& settings) {
  Machine machine = gpu_alone(settings);
  if (!settings.policy->divides_memory) return machine;
  machine.pim.channels = pim_channels(settings);
  const double left =
      static_cast<double>(settings.memory_channels) / static_cast<double>(settings.card.memory_channels);
  machine.gpu.memory_bandwidth *= left;
  if (settings.cache_by_channel) {
    machine.gpu.cache_capacity *= left;
    machine.gpu.cache_bytes_per_cycle *= left;
  }
  const CommandOptimizations& chosen = settings.command_optimizations;
  const bool by_policy = settings.policy->optimized_commands;
  machine.pim.gwrite_hiding = chosen.by_policy ? by_policy : chosen.hiding;
  if (chosen.by_policy ? by_policy : chosen.buffers) machine.pim.n_gwrite = settings.n_gwrite;
  machine.offload = settings.offload;
  machine.fully_connected_on_pim = settings.fully_connected_on_pim;
  return machine;
}

}  // namespace pimsweep::systems::pimflow
