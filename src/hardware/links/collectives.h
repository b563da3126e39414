#pragma once

#include <cstdint>

namespace pimsweep::hardware::links {

/// An operation of several GPUs on a vector of bytes.
enum class Collective : std::uint8_t { all_reduce, all_gather, reduce_scatter, all_to_all, send };

/// Who implements it: kernels of the serving library, in which GPUs read each other's memory (all-reduce only), or
/// NCCL.
enum class CollectiveLibrary : std::uint8_t { automatic, custom, nccl };

/// Constants of collectives of a GPU with its links (docs/gpu.md); seconds and bytes per second.
struct Collectives {
  /// Custom all-reduce: fixed time for two GPUs, and for each further one; rate at which a GPU reads the vectors of all
  /// others; start and rate of the form in two steps, which sends each part twice; bytes from which on NCCL takes over.
  double custom_latency = 0;
  double custom_rank_latency = 0;
  double one_step_rate = 1;
  double two_step_latency = 0;
  double two_step_rate = 1;
  double custom_limit = 0;
  /// NCCL: fixed time for two GPUs, time of a step of the ring, rate, and the fixed time of a send.
  double nccl_latency = 0;
  double nccl_step = 0;
  double nccl_rate = 1;
  double send_rate = 1;
  /// Rate of all GPUs together where more than two of them share the path through the host; 0: each has links of its
  /// own.
  double shared_rate = 0;
  /// Time of the host for a collective that is not part of a graph.
  double eager_latency = 0;

  friend bool operator==(const Collectives&, const Collectives&) = default;
};

/// Time of a collective of `ranks` GPUs, at least two, on `bytes` bytes as nccl-tests count them: the whole vector (for
/// all-gather the one received, for reduce-scatter and all-to-all the one sent).
double collective_time(const Collectives& constants, Collective operation, CollectiveLibrary library, double ranks,
                       double bytes);

}  // namespace pimsweep::hardware::links
