#pragma once

namespace pimsweep::hardware::gpu::language {

/// Constants of the kernels of a serving library (vLLM with FlashAttention 2 and cuBLAS), the same for all cards;
/// values with their origin in docs/llm-gpu.md.
struct Kernels {
  /// Seconds of an empty element-wise kernel, and of one memory access that a thread waits for.
  double empty_latency = 0;
  double trip_latency = 0;
  /// Seconds that a dense layer takes beside its work: start, first loads, last stores.
  double dense_latency = 0;
  /// The same of decode attention (store of keys and values, attention, sum of its parts), with a second sequence, of
  /// prefill attention, of a layer of experts (router, sorting, two grouped products, activation, sum) and of sampling.
  double decode_latency = 0;
  double batch_latency = 0;
  double prefill_latency = 0;
  double experts_latency = 0;
  double sampler_latency = 0;
  /// Bandwidth of the second-level cache as a multiple of that of memory.
  double cache_ratio = 0;
  /// Share of that cache which holds what the kernel before has written.
  double cache_share = 0;
  /// Bytes that a multiprocessor loads in a cycle: by asynchronous copies of tiles, and by a plain thread block.
  double load_bytes_per_cycle = 0;
  double block_bytes_per_cycle = 0;
  /// Cycles of a multiprocessor for each thread block of an element-wise kernel.
  double block_cycles = 0;
  /// Stalls of a tile's main loop: share of its time is this, divided by its rows, and by its columns.
  double tile_overhead = 0;
  /// Exponent of the norm that adds times of memory and of multiplication; infinite would be perfect overlap.
  double overlap = 0;
  /// Query rows of a thread block of attention, and keys of the smallest part into which a sequence is split.
  double query_rows = 0;
  double split_keys = 0;

  friend bool operator==(const Kernels&, const Kernels&) = default;
};

/// A graphics processor as far as kernels of language models depend on it; SI units.
struct Card {
  double multiprocessors = 0;
  double clock = 0;
  /// Operations of one multiprocessor's tensor cores in a cycle, 16-bit factors, sums in fp32, dense; a multiply-add
  /// counts as two.
  double tensor_rate = 0;
  double memory_bandwidth = 0;
  double cache_capacity = 0;
  /// Shares of the peaks that kernels sustain, none above 1; all that is fitted to a card: memory, tensor cores in
  /// dense layers, tensor cores in attention (exponentials between the products).
  double memory_efficiency = 0;
  double tensor_efficiency = 0;
  double attention_efficiency = 0;
  Kernels kernels = {};

  double peak_rate() const { return multiprocessors * clock * tensor_rate; }
  double memory_rate() const { return memory_bandwidth * memory_efficiency; }
  double cache_rate() const { return memory_bandwidth * kernels.cache_ratio; }

  friend bool operator==(const Card&, const Card&) = default;
};

}  // namespace pimsweep::hardware::gpu::language
