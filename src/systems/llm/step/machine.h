#pragma once

#include <cstdint>
#include <string_view>

#include "hardware/links/link.h"
#include "systems/devices/serving_axes.h"
#include "systems/devices/silicon_axes.h"
#include "systems/llm/step/pim/kinds.h"

namespace pimsweep::systems::llm::step {

using pim::Pim;

/// Section of the GPUs' constants in a machine's file.
inline constexpr std::string_view gpu_prefix = "gpu.";

/// GPUs, or processors that work like them: they run any operator.
struct Gpus {
  /// 0: a machine of PIM alone.
  std::int64_t count = 0;
  devices::ServingGpu gpu;
  /// Bytes of memory of each.
  double memory = 0;
  /// Share of it for weights and KV cache.
  double usable_share = 1;
  /// Attention loads keys and values once for each head of queries, as vLLM's first paged attention; else once for all
  /// heads that share them.
  bool loads_by_head = false;
  /// Joules of an operation, and of a byte from memory; power of an idle GPU.
  double operation_energy = 0;
  double memory_energy = 0;
  double idle_power = 0;
  /// Between GPUs. Without a bandwidth, messages and all-reduces take the times measured on this kind of GPU
  /// (gpu.collectives).
  hardware::links::Link link;

  bool has_measured_collectives() const { return link.bandwidth == 0; }
  /// GPUs that share each operator in a pipeline of some stages: `tensor`, or all of a stage if it is 0. Throws
  /// PointError if the machine has fewer GPUs, or the model fewer blocks than stages.
  std::int64_t tensor_ranks(std::int64_t tensor, std::int64_t stages, std::int64_t blocks) const;
  double send_time(double bytes) const;
};

/// Program that serves a model, by how it prepares steps.
enum class Engine : std::uint8_t {
  /// Steps of the devices alone.
  none,
  /// The host prepares a step while the one before runs.
  two_steps,
  /// One step at a time, with work for each sequence.
  one_step,
  /// A framework that launches each kernel from the host, while earlier ones run.
  eager
};

/// Time of the host in a step.
struct Host {
  Engine engine = Engine::none;
  double two_steps_time = 0;
  double one_step_time = 0;
  double one_step_sequence_time = 0;
  double eager_block_time = 0;

  /// Seconds that it adds to a step of `sequences` sequences, whose devices take `device_seconds`.
  double added_time(double sequences, double blocks, double device_seconds) const;
};

/// A machine for language models.
struct Machine {
  Gpus gpus;
  Pim pim;
  Host host;
  hardware::silicon::Densities silicon;

  /// Area and cost of the GPUs' chips, all memory and the units of PIM in it; empty without densities, or if PIM has an
  /// unknown number of multipliers.
  devices::SiliconEstimate silicon_estimate() const;
};

/// The columns `area` and `cost` of a machine.
void add_silicon_metrics(ColumnList& metrics, const devices::SiliconEstimate& estimate);

/// The constants of a machine as axes "hardware.*", those of all kinds of PIM among them.
void add_machine_axes(AxisList& axes, Machine& machine);

}  // namespace pimsweep::systems::llm::step
