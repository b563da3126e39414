#include "systems/llm/card_axes.h"

#include <array>
#include <string>
#include <string_view>

namespace pimsweep::systems::llm {

namespace {

using hardware::gpu::language::Card;
using hardware::gpu::language::Kernels;

template <typename Object>
struct Constant {
  std::string_view key;
  std::string_view unit;
  double min;
  double max;
  double Object::*member;
  /// For machines without cards.
  double unused;
  std::string_view doc;
};

constexpr std::array card_constants{
    Constant<Card>{"clock", "Hz", 1e3, 1e12, &Card::clock, 1e9, "clock of the cards' multiprocessors under load"},
    Constant<Card>{"sm.count", "1", 1, 1e6, &Card::multiprocessors, 1, "multiprocessors of a card"},
    Constant<Card>{"sm.tensor_rate", "1", 1e-3, 1e9, &Card::tensor_rate, 1,
                   "tensor-core operations of a multiprocessor in a cycle, 16-bit factors and fp32 sums"},
    Constant<Card>{"memory.bandwidth", "B/s", 1, 1e18, &Card::memory_bandwidth, 1e9, "memory bandwidth of a card"},
    Constant<Card>{"l2.capacity", "B", 0, 1e15, &Card::cache_capacity, 0, "second-level cache of a card"},
    Constant<Card>{"fitted.memory_efficiency", "1", 1e-3, 1, &Card::memory_efficiency, 1,
                   "share of the memory bandwidth that kernels of language models sustain"},
    Constant<Card>{"fitted.tensor_efficiency", "1", 1e-3, 1, &Card::tensor_efficiency, 1,
                   "share of the tensor cores' peak that dense layers sustain"},
    Constant<Card>{"fitted.attention_efficiency", "1", 1e-3, 1, &Card::attention_efficiency, 1,
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
    Constant<KernelErrors>{"products", "1", 1e-3, 1e3, &KernelErrors::products, 1,
                           "factor on the modeled time of matrix products, for the error of the model"},
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

}  // namespace

void add_card_axes(AxisList& axes, Cards& cards) {
  axes.count(cards.count, "hardware.gpu.count", 0, 1 << 16, "cards of the machine; 0: none", 0);
  add(axes, "hardware.gpu.", card_constants, cards.card);
  add(axes, "hardware.gpu.kernels.", kernel_constants, cards.card.kernels);
  add(axes, "hardware.gpu.error.", error_factors, cards.errors);
  axes.choice(cards.loads_by_head, "hardware.gpu.kernels.attention_loads", load_words,
              "loads of keys and values by attention kernels: once for heads that share them, or by each head", false)
      .quantity(cards.memory, "hardware.gpu.memory.capacity", "B", 0, 1e18, "memory of a card", 0)
      .quantity(cards.usable_share, "hardware.gpu.memory.usable", "1", 0.01, 1,
                "share of a card's memory for weights, keys and values", 1)
      .quantity(cards.operation_energy, "hardware.gpu.energy.operation", "J", 0, 1, "energy of an operation of a card",
                0)
      .quantity(cards.memory_energy, "hardware.gpu.energy.memory", "J/B", 0, 1, "energy of a byte from a card's memory",
                0)
      .quantity(cards.idle_power, "hardware.gpu.power.idle", "W", 0, 1e6, "power of a card that waits", 0);
}

}  // namespace pimsweep::systems::llm
