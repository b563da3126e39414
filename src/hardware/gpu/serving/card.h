#pragma once

#include <algorithm>

namespace pimsweep::hardware::gpu::serving {

/// Constants of the kernels of a serving library on a GPU; values and their origin:
/// docs/gpu.md#kernels-of-language-models. Seconds, bytes, cycles.
struct Kernels {
  /// Fixed time of a dense layer (start, first loads, last stores), and of the kernel that sums a split inner
  /// dimension.
  double dense_latency = 0;
  double split_latency = 0;
  /// Fixed time of a dense layer with factors of 8 or 4 bits, which includes the start of the kernels that convert its
  /// input, and the traffic of these relative to three passes over the input.
  double narrow_latency = 0;
  double narrow_traffic = 1;
  /// Bandwidth of the second-level cache as a multiple of memory bandwidth.
  double cache_ratio = 1;
  /// Fraction of that cache that holds the output of the previous kernel.
  double cache_share = 0;
  /// Bytes of tiles that a multiprocessor loads per cycle: for factors of 16 bits, and of fewer bits.
  double load_bytes_per_cycle = 0;
  double narrow_load_bytes_per_cycle = 1;
  /// Stalls of a tile's main loop: the fraction of its time is this value divided by its rows, and by its columns.
  double tile_overhead = 0;
  /// Exponent of the norm that combines memory time and multiplication time; infinity means perfect overlap.
  double overlap = 1;

  /// Decode attention: fixed time with the write of the KV cache; of the sum over the parts of a split
  /// sequence, and of a copy of queries and outputs; time for each part of a sequence in this sum; time of a
  /// multiprocessor for a thread block; time of a thread block for the keys of a part.
  double decode_latency = 0;
  double decode_split_latency = 0;
  double decode_part_latency = 0;
  double decode_block_time = 0;
  double decode_step = 0;
  double decode_memory_efficiency = 1;
  double decode_cache_ratio = 1;
  /// Keys of a part, and the maximum number of parts of a sequence.
  double split_keys = 128;
  double max_parts = 128;

  /// Prefill attention: fixed time; cycles of a multiprocessor for the exponential of a query and a key; fraction of
  /// the bandwidth at which the KV cache is written; time of a multiprocessor for a thread block; cycles of one for
  /// a thread block without rows; bandwidth of the second-level cache as a multiple of memory bandwidth; query rows of
  /// a thread block.
  double prefill_latency = 0;
  double exponential_cycles = 0;
  double store_efficiency = 1;
  double prefill_block_time = 0;
  double empty_block_cycles = 0;
  double prefill_cache_ratio = 1;
  double query_rows = 64;

  /// Experts: fixed time (router, sorting, two grouped GEMMs, activation, sum), fractions of the peaks, bytes of tiles
  /// per cycle of a multiprocessor, and time of the values moved between the GEMMs relative to their bytes.
  double experts_latency = 0;
  double experts_memory_efficiency = 1;
  double experts_tensor_efficiency = 1;
  double experts_load_bytes_per_cycle = 1;
  double experts_traffic = 1;

  /// Kernels without GEMMs: time of an empty one, and of one memory access for which a thread waits; bytes that a plain
  /// thread block moves per cycle; cycles of a multiprocessor for each thread block; fixed time of sampling.
  double empty_latency = 0;
  double trip_latency = 0;
  double block_bytes_per_cycle = 1;
  double block_cycles = 0;
  double sampler_latency = 0;

  friend bool operator==(const Kernels&, const Kernels&) = default;
};

/// A GPU as seen by kernels of language models; SI units.
struct Card {
  double multiprocessors = 0;
  double clock = 0;
  /// Operations per cycle of the tensor cores of one multiprocessor, 16-bit factors, sums in fp32, dense; a
  /// multiply-add counts as two. Factors of 8 and of 4 bits run at so many times this rate; 1: the GPU has none.
  double tensor_rate = 0;
  double narrow_speedup = 1;
  double fp4_speedup = 1;
  double memory_bandwidth = 0;
  double cache_capacity = 0;
  /// Sustained fractions of the peaks, at most 1: memory, tensor cores in dense layers with factors of 16 bits and of
  /// fewer bits, tensor cores in attention.
  double memory_efficiency = 0;
  double tensor_efficiency = 0;
  double narrow_efficiency = 1;
  double attention_efficiency = 0;
  /// The library does not split the keys of a sequence whose query heads have key heads of their own, and copies
  /// queries and outputs of grouped heads (FlashAttention 2).
  bool splits_groups_only = false;
  /// Beside a prompt, query heads that share a key head share thread blocks (FlashAttention 3), instead of one for
  /// each.
  bool packs_heads = false;
  /// Experts run in the default tiles of vLLM's fused kernel, instead of the fastest ones.
  bool default_expert_tiles = false;
  Kernels kernels = {};

  double peak_rate() const { return multiprocessors * clock * tensor_rate; }
  /// Operations per second of all tensor cores for factors of so many bytes.
  double peak_rate(double factor_bytes) const { return peak_rate() * speedup(factor_bytes); }
  double speedup(double factor_bytes) const {
    if (factor_bytes >= 2) return 1;
    return factor_bytes >= 1 ? narrow_speedup : fp4_speedup;
  }
  /// True if tensor cores multiply factors of so many bytes.
  bool has_factors(double bytes) const { return bytes >= 2 || speedup(bytes) > 1; }
  double memory_rate() const { return memory_bandwidth * memory_efficiency; }
  double cache_rate() const { return memory_bandwidth * kernels.cache_ratio; }
  /// Bytes written by the previous kernel that the second-level cache could not keep.
  double spilled(double bytes) const { return std::max(0.0, bytes - kernels.cache_share * cache_capacity); }
  /// Seconds for reading such bytes, or writing as many.
  double traffic_time(double bytes) const { return bytes / cache_rate() + spilled(bytes) / memory_rate(); }

  friend bool operator==(const Card&, const Card&) = default;
};

}  // namespace pimsweep::hardware::gpu::serving
