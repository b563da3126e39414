#pragma once

namespace pimsweep::hardware::gpu::language {

/// Constants of the kernels of a serving library (vLLM with FlashAttention 2 and cuBLAS), the same for all GPUs; values
/// and their origin: docs/llm-gpu.md.
struct Kernels {
  /// Time in seconds of an empty element-wise kernel, and of one memory access for which a thread waits.
  double empty_latency = 0;
  double trip_latency = 0;
  /// Fixed time in seconds of a dense layer (start, first loads, last stores).
  double dense_latency = 0;
  /// Fixed times of decode attention (KV cache write, attention, sum of its parts) for one sequence and for each
  /// further one, of prefill attention, of a mixture-of-experts layer (router, sorting, two grouped GEMMs, activation,
  /// sum) and of sampling.
  double decode_latency = 0;
  double batch_latency = 0;
  double prefill_latency = 0;
  double experts_latency = 0;
  double sampler_latency = 0;
  /// Bandwidth of the second-level cache as a multiple of memory bandwidth.
  double cache_ratio = 0;
  /// Fraction of that cache that holds the output of the previous kernel.
  double cache_share = 0;
  /// Bytes that a multiprocessor loads per cycle: by asynchronous copies of tiles, and by a plain thread block.
  double load_bytes_per_cycle = 0;
  double block_bytes_per_cycle = 0;
  /// Cycles of a multiprocessor per thread block of an element-wise kernel.
  double block_cycles = 0;
  /// Stalls of a tile's main loop: the fraction of its time is this value divided by its rows, and by its columns.
  double tile_overhead = 0;
  /// Exponent of the norm that combines memory time and multiplication time; infinity means perfect overlap.
  double overlap = 0;
  /// Query rows per thread block of attention, and minimum number of keys in a part of a split sequence.
  double query_rows = 0;
  double split_keys = 0;

  friend bool operator==(const Kernels&, const Kernels&) = default;
};

/// A GPU as seen by kernels of language models; SI units.
struct Card {
  double multiprocessors = 0;
  double clock = 0;
  /// Operations per cycle of the tensor cores of one multiprocessor, 16-bit factors, sums in fp32, dense; a
  /// multiply-add counts as two.
  double tensor_rate = 0;
  double memory_bandwidth = 0;
  double cache_capacity = 0;
  /// Sustained fractions of the peaks, at most 1, which are the only values fitted to a GPU: memory, tensor cores in
  /// dense layers, tensor cores in attention (exponentials between the GEMMs).
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
