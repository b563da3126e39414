#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "systems/devices/aim_axes.h"
#include "systems/llm/step/machine.h"

namespace pimsweep::systems::llm::step {

namespace {

using Gpu = hardware::gpu::language::Card;
using hardware::gpu::language::Kernels;

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
    Constant<Gpu>{"clock", "Hz", 1e3, 1e12, &Gpu::clock, 1e9, "clock of the GPUs' multiprocessors under load"},
    Constant<Gpu>{"sm.count", "1", 1, 1e6, &Gpu::multiprocessors, 1, "multiprocessors of a GPU"},
    Constant<Gpu>{"sm.tensor_rate", "1", 1e-3, 1e9, &Gpu::tensor_rate, 1,
                  "tensor-core operations of a multiprocessor in a cycle, 16-bit factors and fp32 sums"},
    Constant<Gpu>{"memory.bandwidth", "B/s", 1, 1e18, &Gpu::memory_bandwidth, 1e9, "memory bandwidth of a GPU"},
    Constant<Gpu>{"l2.capacity", "B", 0, 1e15, &Gpu::cache_capacity, 0, "second-level cache of a GPU"},
    Constant<Gpu>{"fitted.memory_efficiency", "1", 1e-3, 1, &Gpu::memory_efficiency, 1,
                  "share of the memory bandwidth that kernels of language models sustain"},
    Constant<Gpu>{"fitted.tensor_efficiency", "1", 1e-3, 1, &Gpu::tensor_efficiency, 1,
                  "share of the tensor cores' peak that dense layers sustain"},
    Constant<Gpu>{"fitted.attention_efficiency", "1", 1e-3, 1, &Gpu::attention_efficiency, 1,
                  "share of the tensor cores' peak that attention kernels sustain"},
};

constexpr std::array kernel_constants{
    Constant<Kernels>{"empty_latency", "s", 0, 1, &Kernels::empty_latency, 0, "time of an empty element-wise kernel"},
    Constant<Kernels>{"trip_latency", "s", 0, 1, &Kernels::trip_latency, 0,
                      "time of a memory access that a thread of an element-wise kernel waits for"},
    Constant<Kernels>{"dense_latency", "s", 0, 1, &Kernels::dense_latency, 0, "time of a dense layer beside its work"},
    Constant<Kernels>{"decode_latency", "s", 0, 1, &Kernels::decode_latency, 0,
                      "time of decode attention beside its work"},
    Constant<Kernels>{"batch_latency", "s", 0, 1, &Kernels::batch_latency, 0,
                      "additional time of decode attention with more than one sequence"},
    Constant<Kernels>{"prefill_latency", "s", 0, 1, &Kernels::prefill_latency, 0,
                      "time of prefill attention beside its work"},
    Constant<Kernels>{"experts_latency", "s", 0, 1, &Kernels::experts_latency, 0,
                      "time of a layer of experts beside its work"},
    Constant<Kernels>{"sampler_latency", "s", 0, 1, &Kernels::sampler_latency, 0, "time of sampling beside its work"},
    Constant<Kernels>{"cache_ratio", "1", 1e-3, 1e6, &Kernels::cache_ratio, 1,
                      "bandwidth of the second-level cache relative to memory bandwidth"},
    Constant<Kernels>{"cache_share", "1", 0, 1, &Kernels::cache_share, 0,
                      "share of the second-level cache that holds what the kernel before has written"},
    Constant<Kernels>{"load_bytes_per_cycle", "B", 1e-3, 1e9, &Kernels::load_bytes_per_cycle, 1,
                      "bytes of tiles that a multiprocessor loads in a cycle"},
    Constant<Kernels>{"block_bytes_per_cycle", "B", 1e-3, 1e9, &Kernels::block_bytes_per_cycle, 1,
                      "bytes that a thread block of an element-wise kernel moves in a cycle"},
    Constant<Kernels>{"block_cycles", "cycle", 0, 1e9, &Kernels::block_cycles, 0,
                      "cycles of a multiprocessor for each thread block of an element-wise kernel"},
    Constant<Kernels>{"tile_overhead", "1", 0, 1e6, &Kernels::tile_overhead, 0,
                      "stalls of a tile's main loop relative to its time, for a tile of one row or column"},
    Constant<Kernels>{"overlap", "1", 1, 1e3, &Kernels::overlap, 1,
                      "exponent of the norm that adds times of memory and of multiplication"},
    Constant<Kernels>{"query_rows", "1", 1, 1e6, &Kernels::query_rows, 1, "query rows of a thread block of attention"},
    Constant<Kernels>{"split_keys", "1", 1, 1e9, &Kernels::split_keys, 1,
                      "keys of the smallest part into which decode attention splits a sequence"},
};

constexpr std::array error_factors{
    Constant<KernelErrors>{"elementwise", "1", 1e-3, 1e3, &KernelErrors::elementwise, 1,
                           "factor on the modeled time of element-wise kernels, for the error of the model"},
    Constant<KernelErrors>{"products", "1", 1e-3, 1e3, &KernelErrors::gemm, 1,
                           "factor on the modeled time of GEMMs, for the error of the model"},
    Constant<KernelErrors>{"decode_attention", "1", 1e-3, 1e3, &KernelErrors::decode_attention, 1,
                           "factor on the modeled time of decode attention, for the error of the model"},
    Constant<KernelErrors>{"prefill_attention", "1", 1e-3, 1e3, &KernelErrors::prefill_attention, 1,
                           "factor on the modeled time of prefill attention, for the error of the model"},
    Constant<KernelErrors>{"experts", "1", 1e-3, 1e3, &KernelErrors::experts, 1,
                           "factor on the modeled time of layers of experts, for the error of the model"},
    Constant<KernelErrors>{"head", "1", 1e-3, 1e3, &KernelErrors::head, 1,
                           "factor on the modeled time of the language-model head, for the error of the model"},
    Constant<KernelErrors>{"sampler", "1", 1e-3, 1e3, &KernelErrors::sampler, 1,
                           "factor on the modeled time of sampling, for the error of the model"},
};

constexpr std::array load_words{Word{"shared", false}, Word{"by-head", true}};

template <typename Object, std::size_t count>
void add(AxisList& axes, const std::string& prefix, const std::array<Constant<Object>, count>& constants,
         Object& object) {
  for (const Constant<Object>& constant : constants) {
    axes.quantity(object.*constant.member, prefix + std::string(constant.key), std::string(constant.unit), constant.min,
                  constant.max, std::string(constant.doc), constant.unused);
  }
}

void add_link_axes(AxisList& axes, hardware::links::Link& link, const std::string& prefix, const std::string& between) {
  axes.quantity(link.bandwidth, prefix + "bandwidth", "B/s", 1, 1e18, "bandwidth between " + between + ", each way",
                1e12)
      .quantity(link.latency, prefix + "latency", "s", 0, 1, "latency of a message between " + between, 0)
      .quantity(link.energy, prefix + "energy", "J/B", 0, 1, "energy of a byte between " + between, 0);
}

void add_gpu_axes(AxisList& axes, Gpus& gpus) {
  axes.count(gpus.count, "hardware.gpu.count", 0, 1 << 16, "GPUs of the machine; 0: none", 0);
  add(axes, "hardware.gpu.", gpu_constants, gpus.gpu);
  add(axes, "hardware.gpu.kernels.", kernel_constants, gpus.gpu.kernels);
  add(axes, "hardware.gpu.error.", error_factors, gpus.errors);
  axes.choice(gpus.loads_by_head, "hardware.gpu.kernels.attention_loads", load_words,
              "loads of keys and values by attention kernels: once for heads that share them, or by each head", false)
      .quantity(gpus.memory, "hardware.gpu.memory.capacity", "B", 0, 1e18, "memory of a GPU", 0)
      .quantity(gpus.usable_share, "hardware.gpu.memory.usable", "1", 0.01, 1,
                "share of a GPU's memory for weights and KV cache", 1)
      .quantity(gpus.operation_energy, "hardware.gpu.energy.operation", "J", 0, 1, "energy of an operation of a GPU", 0)
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
  add_link_axes(axes, pim.link, "hardware.pim.link.", "a GPU and its PIM");
  devices::add_aim_axes(axes, "pim.aim.", pim.aim);
  std::apply([&](auto&... units) { (units.add_axes(axes), ...); }, pim.kinds);
}

}  // namespace

void add_machine_axes(AxisList& axes, Machine& machine) {
  add_gpu_axes(axes, machine.gpus);
  add_link_axes(axes, machine.gpus.link, "hardware.link.", "GPUs");
  axes.quantity(machine.gpus.link.reduce_latency, "hardware.link.reduce_latency", "s", 0, 1,
                "latency of an all-reduce, in addition to moving its bytes", 0)
      .quantity(machine.host_time, "hardware.host.step_time", "s", 0, 10, "time of the host for each step", 0);
  add_pim_axes(axes, machine.pim);
}

}  // namespace pimsweep::systems::llm::step
