#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "systems/devices/aim_axes.h"
#include "systems/devices/pim_memory_axes.h"
#include "systems/llm/step/machine.h"

namespace pimsweep::systems::llm::step {

namespace {

using hardware::gpu::serving::Card;
using hardware::gpu::serving::Kernels;

template <typename Object>
struct Constant {
  std::string_view key;
  std::string_view unit;
  double min;
  double max;
  double Object::*member;
  /// For machines without GPUs.
  double unused;
  std::string_view doc;
};

constexpr std::array gpu_constants{
    Constant<Card>{"clock", "Hz", 1e3, 1e12, &Card::clock, 1e9, "clock of the GPUs' multiprocessors under load"},
    Constant<Card>{"sm.count", "1", 1, 1e6, &Card::multiprocessors, 1, "multiprocessors of a GPU"},
    Constant<Card>{"sm.tensor_rate", "1", 1e-3, 1e9, &Card::tensor_rate, 1,
                   "tensor-core operations of a multiprocessor in a cycle, 16-bit factors and fp32 sums"},
    Constant<Card>{"memory.bandwidth", "B/s", 1, 1e18, &Card::memory_bandwidth, 1e9, "memory bandwidth of a GPU"},
    Constant<Card>{"l2.capacity", "B", 0, 1e15, &Card::cache_capacity, 0, "second-level cache of a GPU"},
};

constexpr std::array kernel_constants{
    Constant<Kernels>{"empty_latency", "s", 0, 1, &Kernels::empty_latency, 0, "time of an empty element-wise kernel"},
    Constant<Kernels>{"trip_latency", "s", 0, 1, &Kernels::trip_latency, 0,
                      "time of a memory access that a thread of an element-wise kernel waits for"},
    Constant<Kernels>{"block_bytes_per_cycle", "B", 1e-3, 1e9, &Kernels::block_bytes_per_cycle, 1,
                      "bytes that a thread block of an element-wise kernel moves in a cycle"},
    Constant<Kernels>{"block_cycles", "cycle", 0, 1e9, &Kernels::block_cycles, 0,
                      "cycles of a multiprocessor for each thread block of an element-wise kernel"},
    Constant<Kernels>{"sampler_latency", "s", 0, 1, &Kernels::sampler_latency, 0, "time of sampling without its work"},
};

constexpr std::array error_factors{
    Constant<devices::ServingErrors>{"elementwise", "1", 1e-3, 1e3, &devices::ServingErrors::elementwise, 1,
                                     "factor on the modeled time of element-wise kernels, for the error of the model"},
    Constant<devices::ServingErrors>{"sampler", "1", 1e-3, 1e3, &devices::ServingErrors::sampler, 1,
                                     "factor on the modeled time of sampling, for the error of the model"},
};

constexpr std::array host_constants{
    Constant<Host>{"two_steps.step_time", "s", 0, 10, &Host::two_steps_time, 0,
                   "time of the host left in each step with two steps in flight"},
    Constant<Host>{"one_step.step_time", "s", 0, 10, &Host::one_step_time, 0,
                   "time of the host for each step with one step at a time"},
    Constant<Host>{"one_step.sequence_time", "s", 0, 10, &Host::one_step_sequence_time, 0,
                   "time of the host for each sequence of such a step"},
    Constant<Host>{"eager.block_time", "s", 0, 10, &Host::eager_block_time, 0,
                   "time of the host for each block of a model whose kernels it launches itself"},
};

constexpr std::array engine_words{Word{"none", Engine::none}, Word{"two-steps", Engine::two_steps},
                                  Word{"one-step", Engine::one_step}, Word{"eager", Engine::eager}};

constexpr std::array load_words{Word{"shared", false}, Word{"by-head", true}};

template <typename Object, std::size_t count>
void add(AxisList& axes, const std::string& prefix, const std::array<Constant<Object>, count>& constants,
         Object& object) {
  for (const Constant<Object>& constant : constants) {
    axes.quantity(object.*constant.member, prefix + std::string(constant.key), std::string(constant.unit), constant.min,
                  constant.max, std::string(constant.doc), constant.unused);
  }
}

void add_link_axes(AxisList& axes, hardware::links::Link& link, const std::string& prefix, const std::string& between,
                   double min_bandwidth, double bandwidth, const std::string& note) {
  axes.quantity(link.bandwidth, prefix + "bandwidth", "B/s", min_bandwidth, 1e18,
                "bandwidth between " + between + ", each way" + note, bandwidth)
      .quantity(link.latency, prefix + "latency", "s", 0, 1, "latency of a message between " + between, 0)
      .quantity(link.energy, prefix + "energy", "J/B", 0, 1, "energy of a byte between " + between, 0);
}

void add_gpu_axes(AxisList& axes, Gpus& gpus) {
  axes.count(gpus.count, "hardware.gpu.count", 0, 1 << 16, "GPUs of the machine; 0: none", 0);
  add(axes, "hardware.gpu.", gpu_constants, gpus.gpu.card);
  devices::add_optional_serving_axes(axes, gpu_prefix, gpus.gpu);
  add(axes, "hardware.gpu.kernels.", kernel_constants, gpus.gpu.card.kernels);
  add(axes, "hardware.gpu.error.", error_factors, gpus.gpu.errors);
  axes.choice(gpus.loads_by_head, "hardware.gpu.kernels.attention_loads", load_words,
              "loads of keys and values by attention kernels: once for heads that share them, or by each head", false)
      .quantity(gpus.memory, "hardware.gpu.memory.capacity", "B", 0, 1e18, "memory of a GPU", 0)
      .quantity(gpus.usable_share, "hardware.gpu.memory.usable", "1", 0.01, 1,
                "share of a GPU's memory for weights and KV cache", 1)
      .quantity(gpus.operation_energy, "hardware.gpu.energy.tensor", "J", 0, 1,
                "energy of a tensor-core operation of a GPU", 0)
      .quantity(gpus.memory_energy, "hardware.gpu.energy.memory", "J/B", 0, 1, "energy of a byte from a GPU's memory",
                0)
      .quantity(gpus.idle_power, "hardware.gpu.power.idle", "W", 0, 1e6, "power of an idle GPU", 0);
}

constexpr std::array own_memory_words{Word{"own", true}, Word{"shared", false}};

void add_pim_axes(AxisList& axes, Pim& pim) {
  const std::vector<Word<std::size_t>> kinds = pim::kind_words();
  axes.choice(pim.kind, "hardware.pim.kind", kinds,
              "kind of PIM beside each GPU; attention: stacks of AttAcc, channels: NeuPIMs, cxl: CENT without GPUs",
              std::size_t{0})
      .count(pim.count, "hardware.pim.devices", 0, 1 << 16, "stacks or devices of PIM beside each GPU", 0)
      .quantity(pim.memory, "hardware.pim.memory", "B", 0, 1e18, "memory of a stack or device of PIM", 0)
      .quantity(pim.idle_power, "hardware.pim.idle_power", "W", 0, 1e6, "idle power of a stack or device of PIM", 0)
      .choice(pim.has_own_memory, "hardware.pim.memory_of", own_memory_words,
              "memory of PIM: its own, beside that of the GPU, or the memory of the GPU itself", true)
      .flag(pim.dual_row_buffer, "hardware.pim.dual_row_buffer",
            "simultaneous work of GPU and PIM in banks that they share", false)
      .quantity(pim.intensity_threshold, "hardware.pim.intensity_threshold", "1", 0, 1e9,
                "operations on each weight above which policy papi runs GEMMs on GPUs", 0)
      .quantity(pim.memory_energy, "hardware.pim.rated.energy.memory", "J/B", 0, 1,
                "energy of a byte inside rated PIM or channels", 0)
      .quantity(pim.operation_energy, "hardware.pim.rated.energy.operation", "J", 0, 1,
                "energy of an operation of rated PIM or channels", 0);
  add_link_axes(axes, pim.link, "hardware.pim.link.", "a GPU and its PIM", 1, 1e12, "");
  devices::add_pim_memory_axes(axes, "hardware.pim.power_limit", pim.conditions);
  devices::add_aim_axes(axes, "pim.aim.", pim.aim);
  std::apply([&](auto&... units) { (units.add_axes(axes), ...); }, pim.kinds);
}

}  // namespace

void add_machine_axes(AxisList& axes, Machine& machine) {
  add_gpu_axes(axes, machine.gpus);
  add_link_axes(axes, machine.gpus.link, "hardware.link.", "GPUs", 0, 0,
                "; 0: measured collectives of this kind of GPU");
  axes.quantity(machine.gpus.link.reduce_latency, "hardware.link.reduce_latency", "s", 0, 1,
                "latency of an all-reduce, in addition to moving its bytes", 0)
      .choice(machine.host.engine, "hardware.host.engine", engine_words,
              "engine that prepares steps: two or one in flight, kernels launched one at a time (eager), or none",
              Engine::none);
  add(axes, "hardware.host.", host_constants, machine.host);
  devices::add_silicon_axes(axes, machine.silicon);
  add_pim_axes(axes, machine.pim);
}

void add_silicon_metrics(ColumnList& metrics, const devices::SiliconEstimate& estimate) {
  devices::add_silicon_metrics(metrics, estimate, "chips of the GPUs, units of PIM in its memory, and all memory",
                               "no silicon in the hardware file, or units of PIM that are not known");
}

devices::SiliconEstimate Machine::silicon_estimate() const {
  // A unit is the multipliers of one bank.
  constexpr double unit_multipliers = 16;
  if (gpus.count == 0) return {};
  const auto processors = static_cast<double>(gpus.count);
  const double stacks = pim.is_beside_gpus() ? processors * static_cast<double>(pim.count) : 0;
  const std::optional<double> multipliers = stacks > 0 ? pim.units().multipliers(pim) : 0;
  if (!multipliers) return {};
  return devices::estimate_silicon({.processors = processors,
                                    .units = processors * *multipliers / unit_multipliers,
                                    .logic_dies = std::max(1.0, stacks),
                                    .dram_bytes = processors * gpus.memory + stacks * pim.memory},
                                   silicon);
}

std::int64_t Gpus::tensor_ranks(std::int64_t tensor, std::int64_t stages, std::int64_t blocks) const {
  const std::int64_t ranks = tensor == 0 ? std::max<std::int64_t>(1, count / stages) : tensor;
  if (ranks * stages > count) {
    throw PointError(fmt::format("tensor_parallel {} times pipeline_parallel {} needs {} GPUs, but the machine has {}",
                                 ranks, stages, ranks * stages, count));
  }
  if (stages > blocks) {
    throw PointError(fmt::format("pipeline_parallel is {}, but the model has {} blocks", stages, blocks));
  }
  return ranks;
}

double Gpus::send_time(double bytes) const {
  if (!has_measured_collectives()) return hardware::links::transfer_time(link, bytes);
  return hardware::links::collective_time(gpu.collectives, hardware::links::Collective::send,
                                          hardware::links::CollectiveLibrary::automatic, 2, bytes);
}

double Host::added_time(double sequences, double blocks, double device_seconds) const {
  switch (engine) {
    case Engine::none:
      break;
    case Engine::two_steps:
      return two_steps_time;
    case Engine::one_step:
      return one_step_time + sequences * one_step_sequence_time;
    case Engine::eager:
      return std::max(0.0, blocks * eager_block_time - device_seconds);
  }
  return 0;
}

}  // namespace pimsweep::systems::llm::step
