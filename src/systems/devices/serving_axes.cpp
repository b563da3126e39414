#include "systems/devices/serving_axes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pimsweep::systems::devices {

namespace {

using hardware::gpu::serving::Card;
using hardware::gpu::serving::Kernels;
using hardware::links::Collectives;

template <typename Object>
struct ServingConstant {
  std::string_view key;
  std::string_view unit;
  double min;
  double max;
  double Object::*member;
  std::string_view doc;
};

using OfCard = ServingConstant<Card>;
using OfKernels = ServingConstant<Kernels>;
using OfErrors = ServingConstant<ServingErrors>;
using OfCollectives = ServingConstant<Collectives>;

constexpr std::array card_constants{
    OfCard{"sm.narrow_speedup", "1", 1, 16, &Card::narrow_speedup,
           "rate of the tensor cores on factors of 8 bits relative to 16 bits; 1: they have none"},
    OfCard{"fitted.memory_efficiency", "1", 1e-3, 1, &Card::memory_efficiency,
           "share of the memory bandwidth that dense layers sustain"},
    OfCard{"fitted.tensor_efficiency", "1", 1e-3, 1, &Card::tensor_efficiency,
           "share of the tensor cores' peak that dense layers sustain"},
    OfCard{"fitted.narrow_efficiency", "1", 1e-3, 1, &Card::narrow_efficiency,
           "share of the tensor cores' peak that dense layers with factors of 8 or 4 bits sustain"},
    OfCard{"fitted.attention_efficiency", "1", 1e-3, 1, &Card::attention_efficiency,
           "share of the tensor cores' peak that attention kernels sustain"},
};

constexpr std::array kernel_constants{
    OfKernels{"dense_latency", "s", 0, 1, &Kernels::dense_latency, "time of a dense layer without its work"},
    OfKernels{"split_latency", "s", 0, 1, &Kernels::split_latency,
              "time of the kernel that sums the parts of a dense layer of split depth"},
    OfKernels{"narrow_latency", "s", 0, 1, &Kernels::narrow_latency,
              "time of a dense layer with factors of 8 or 4 bits without its work"},
    OfKernels{"narrow_traffic", "1", 0, 1000, &Kernels::narrow_traffic,
              "traffic of the conversion of inputs to 8 or 4 bits relative to its bytes"},
    OfKernels{"cache_ratio", "1", 0.001, 1e6, &Kernels::cache_ratio,
              "bandwidth of the second-level cache relative to memory bandwidth"},
    OfKernels{"cache_share", "1", 0, 1, &Kernels::cache_share,
              "share of the second-level cache that holds what the previous kernel has written"},
    OfKernels{"load_bytes_per_cycle", "B", 0.001, 1e9, &Kernels::load_bytes_per_cycle,
              "bytes of tiles that a multiprocessor loads in a cycle"},
    OfKernels{"narrow_load_bytes_per_cycle", "B", 0.001, 1e9, &Kernels::narrow_load_bytes_per_cycle,
              "bytes of tiles with factors of 8 or 4 bits that a multiprocessor loads in a cycle"},
    OfKernels{"tile_overhead", "1", 0, 1e6, &Kernels::tile_overhead,
              "stalls of a tile's main loop relative to its time, for one row or column"},
    OfKernels{"overlap", "1", 1, 1000, &Kernels::overlap,
              "exponent of the norm that adds times of memory and of multiplication"},
    OfKernels{"decode_latency", "s", 0, 1, &Kernels::decode_latency, "time of decode attention without its work"},
    OfKernels{"decode_split_latency", "s", 0, 1, &Kernels::decode_split_latency,
              "time of the sum over the parts of sequences, and of a copy of queries"},
    OfKernels{"decode_part_latency", "s", 0, 1, &Kernels::decode_part_latency,
              "time of decode attention for each part of a split sequence"},
    OfKernels{"decode_block_time", "s", 0, 1, &Kernels::decode_block_time,
              "time of a multiprocessor for a thread block of decode attention without its bytes"},
    OfKernels{"decode_step", "s", 0, 1, &Kernels::decode_step,
              "time of a thread block of decode attention for the keys of a part"},
    OfKernels{"decode_memory_efficiency", "1", 0.001, 1, &Kernels::decode_memory_efficiency,
              "share of the memory bandwidth that decode attention sustains"},
    OfKernels{"decode_cache_ratio", "1", 0.001, 1e6, &Kernels::decode_cache_ratio,
              "rate of decode attention on a KV cache in the second-level cache, relative to memory bandwidth"},
    OfKernels{"split_keys", "1", 1, 1e9, &Kernels::split_keys,
              "keys of the smallest part into which decode attention splits a sequence"},
    OfKernels{"max_parts", "1", 1, 1e9, &Kernels::max_parts, "maximum number of parts of a sequence"},
    OfKernels{"prefill_latency", "s", 0, 1, &Kernels::prefill_latency, "time of prefill attention without its work"},
    OfKernels{"exponential_cycles", "cycle", 0, 1e6, &Kernels::exponential_cycles,
              "cycles of a multiprocessor for the exponential of a query and a key"},
    OfKernels{"store_efficiency", "1", 0.001, 1, &Kernels::store_efficiency,
              "share of the memory bandwidth at which prefill attention writes the KV cache"},
    OfKernels{"prefill_block_time", "s", 0, 1, &Kernels::prefill_block_time,
              "time of a multiprocessor for a thread block of prefill attention without its keys"},
    OfKernels{"empty_block_cycles", "cycle", 0, 1e6, &Kernels::empty_block_cycles,
              "cycles of a multiprocessor for a thread block of prefill attention without rows"},
    OfKernels{"prefill_cache_ratio", "1", 0.001, 1e6, &Kernels::prefill_cache_ratio,
              "bandwidth of queries, keys, values and outputs of prefill attention relative to memory bandwidth"},
    OfKernels{"query_rows", "1", 1, 1e6, &Kernels::query_rows, "query rows of a thread block of prefill attention"},
    OfKernels{"experts_latency", "s", 0, 1, &Kernels::experts_latency, "time of a layer of experts without its work"},
    OfKernels{"experts_memory_efficiency", "1", 0.001, 1, &Kernels::experts_memory_efficiency,
              "share of the memory bandwidth that experts sustain"},
    OfKernels{"experts_tensor_efficiency", "1", 0.001, 1, &Kernels::experts_tensor_efficiency,
              "share of the tensor cores' peak that experts sustain"},
    OfKernels{"experts_load_bytes_per_cycle", "B", 0.001, 1e9, &Kernels::experts_load_bytes_per_cycle,
              "bytes of tiles that a multiprocessor loads in a cycle for experts"},
    OfKernels{"experts_traffic", "1", 0, 1000, &Kernels::experts_traffic,
              "time of the values between the GEMMs of experts relative to their bytes"},
};

constexpr std::array error_constants{
    OfErrors{"products", "1", 1e-3, 1e3, &ServingErrors::gemm,
             "factor on the modeled time of all GEMMs, for the error of the model"},
    OfErrors{"products_by_shape", "1", 1e-3, 1e3, &ServingErrors::gemm_by_shape,
             "further factor on the time of GEMMs of one shape, which averages out over the shapes of a step"},
    OfErrors{"decode_attention", "1", 1e-3, 1e3, &ServingErrors::decode_attention,
             "factor on the modeled time of decode attention, for the error of the model"},
    OfErrors{"prefill_attention", "1", 1e-3, 1e3, &ServingErrors::prefill_attention,
             "factor on the modeled time of prefill attention, for the error of the model"},
    OfErrors{"experts", "1", 1e-3, 1e3, &ServingErrors::experts,
             "factor on the modeled time of layers of experts, for the error of the model"},
};

constexpr std::array collective_constants{
    OfCollectives{"custom_latency", "s", 0, 1, &Collectives::custom_latency,
                  "time of a custom all-reduce of two GPUs without its bytes"},
    OfCollectives{"custom_rank_latency", "s", 0, 1, &Collectives::custom_rank_latency,
                  "time of a custom all-reduce for each further GPU"},
    OfCollectives{"one_step_rate", "B/s", 1, 1e15, &Collectives::one_step_rate,
                  "rate at which a GPU reads the vectors of all others"},
    OfCollectives{"two_step_latency", "s", 0, 1, &Collectives::two_step_latency,
                  "additional time of a custom all-reduce in two steps"},
    OfCollectives{"two_step_rate", "B/s", 1, 1e15, &Collectives::two_step_rate,
                  "rate of a custom all-reduce in two steps"},
    OfCollectives{"custom_limit", "B", 0, 1e15, &Collectives::custom_limit,
                  "size from which on the serving library leaves an all-reduce to NCCL"},
    OfCollectives{"nccl_latency", "s", 0, 1, &Collectives::nccl_latency,
                  "time of a collective of NCCL between two GPUs without its bytes"},
    OfCollectives{"nccl_step", "s", 0, 1, &Collectives::nccl_step, "time of a step of NCCL's ring without its bytes"},
    OfCollectives{"nccl_rate", "B/s", 1, 1e15, &Collectives::nccl_rate, "rate of NCCL's collectives"},
    OfCollectives{"send_rate", "B/s", 1, 1e15, &Collectives::send_rate, "rate of a message from GPU to GPU"},
    OfCollectives{"shared_rate", "B/s", 0, 1e15, &Collectives::shared_rate,
                  "rate of all GPUs together where more than two share the host's path; 0: own links"},
    OfCollectives{"eager_latency", "s", 0, 1, &Collectives::eager_latency,
                  "shortest time of a collective that the host launches by itself"},
};

constexpr std::array tile_words{Word{"fastest", false}, Word{"default", true}};
constexpr std::array head_words{Word{"separate", false}, Word{"packed", true}};
constexpr std::array split_words{Word{"always", false}, Word{"grouped", true}};

template <typename Object, std::size_t count>
void add_optional(AxisList& axes, const std::string& section, const std::array<ServingConstant<Object>, count>& all,
                  Object& object) {
  // Numbers may be -1, which is their default.
  for (const ServingConstant<Object>& constant : all) {
    axes.quantity(object.*constant.member, section + std::string(constant.key), std::string(constant.unit), -1,
                  constant.max, std::string(constant.doc), -1);
  }
}

/// A GPU whose tensor cores have 16-bit factors only leaves out all that concerns narrower ones.
template <typename Object>
bool is_missing(const ServingConstant<Object>& constant, const Object& object, bool has_narrow_factors) {
  const bool is_needed = has_narrow_factors || constant.key.find("narrow_") == std::string_view::npos;
  return is_needed && object.*constant.member < constant.min;
}

template <typename Object, std::size_t count>
void add_missing(std::vector<std::string>& names, const std::string& section,
                 const std::array<ServingConstant<Object>, count>& all, const Object& object, bool has_narrow_factors) {
  for (const ServingConstant<Object>& constant : all) {
    if (is_missing(constant, object, has_narrow_factors)) names.push_back(section + std::string(constant.key));
  }
}

template <typename Object, std::size_t count>
bool has_all(const std::array<ServingConstant<Object>, count>& all, const Object& object, bool has_narrow_factors) {
  return std::ranges::none_of(
      all, [&](const ServingConstant<Object>& constant) { return is_missing(constant, object, has_narrow_factors); });
}

std::string section_of(std::string_view prefix, std::string_view section) {
  return fmt::format("hardware.{}{}", prefix, section);
}

}  // namespace

void add_optional_serving_axes(AxisList& axes, std::string_view prefix, ServingGpu& gpu) {
  const std::string kernels = section_of(prefix, "kernels.");
  add_optional(axes, section_of(prefix, ""), card_constants, gpu.card);
  add_optional(axes, kernels, kernel_constants, gpu.card.kernels);
  axes.choice(gpu.card.splits_groups_only, kernels + "decode_splits", split_words,
              "sequences that decode attention splits along their keys: always, or grouped: only where query heads "
              "share key heads (FlashAttention 2)",
              false);
  axes.choice(gpu.card.packs_heads, kernels + "mixed_heads", head_words,
              "query heads in thread blocks of a decode beside a prompt: separate, or packed: all of a key head",
              false);
  axes.choice(gpu.card.default_expert_tiles, kernels + "experts_tiles", tile_words,
              "tiles of experts: the fastest, or the defaults of vLLM's fused kernel", false);
  axes.quantity(gpu.card.fp4_speedup, section_of(prefix, "sm.fp4_speedup"), "1", 1, 64,
                "rate of the tensor cores on factors of 4 bits relative to 16 bits; 1: they have none", 1);
  for (const OfErrors& constant : error_constants) {
    axes.quantity(gpu.errors.*constant.member, section_of(prefix, "error.") + std::string(constant.key),
                  std::string(constant.unit), constant.min, constant.max, std::string(constant.doc), 1);
  }
  add_optional(axes, section_of(prefix, "collective."), collective_constants, gpu.collectives);
}

std::vector<std::string> missing_kernel_constants(std::string_view prefix, const ServingGpu& gpu) {
  std::vector<std::string> names;
  const bool has_narrow_factors = gpu.card.narrow_speedup > 1;
  add_missing(names, section_of(prefix, ""), card_constants, gpu.card, has_narrow_factors);
  add_missing(names, section_of(prefix, "kernels."), kernel_constants, gpu.card.kernels, has_narrow_factors);
  return names;
}

std::vector<std::string> missing_collective_constants(std::string_view prefix, const ServingGpu& gpu) {
  std::vector<std::string> names;
  add_missing(names, section_of(prefix, "collective."), collective_constants, gpu.collectives, true);
  return names;
}

bool has_kernel_constants(const ServingGpu& gpu) {
  const bool has_narrow_factors = gpu.card.narrow_speedup > 1;
  return has_all(card_constants, gpu.card, has_narrow_factors) &&
         has_all(kernel_constants, gpu.card.kernels, has_narrow_factors);
}

bool has_collective_constants(const ServingGpu& gpu) { return has_all(collective_constants, gpu.collectives, true); }

}  // namespace pimsweep::systems::devices
