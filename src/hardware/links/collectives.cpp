#include "hardware/links/collectives.h"

#include <algorithm>

namespace pimsweep::hardware::links {

namespace {

/// Time of `bytes` that each GPU sends: over its own links, or through the host, which all share.
double path_time(const Collectives& c, double bytes, double ranks, double rate) {
  const double own = bytes / rate;
  return ranks > 2 && c.shared_rate > 0 ? std::max(own, ranks * bytes / c.shared_rate) : own;
}

/// The faster of two kernels (p GPUs, n bytes): every GPU reads all vectors,
///   a + (p - 2) a_p + (p - 1) n / b_1,
/// or reduces its part and gathers the others,
///   a + (p - 2) a_p + a_2 + 2 (p - 1) / p n / b_2.
double custom_time(const Collectives& c, double ranks, double bytes) {
  const double start = c.custom_latency + (ranks - 2) * c.custom_rank_latency;
  const double one = path_time(c, (ranks - 1) * bytes, ranks, c.one_step_rate);
  const double two = c.two_step_latency + path_time(c, 2 * (ranks - 1) / ranks * bytes, ranks, c.two_step_rate);
  return start + std::min(one, two);
}

/// A ring of NCCL: fixed time, a step of the ring for each further GPU, and the bytes that each GPU sends
/// (nccl-tests, doc/PERFORMANCE.md).
double nccl_time(const Collectives& c, Collective operation, double ranks, double bytes) {
  if (operation == Collective::send) return c.nccl_latency + bytes / c.send_rate;
  const double passes = operation == Collective::all_reduce ? 2 : 1;
  // All messages of an all-to-all are on their way at once.
  const double steps = operation == Collective::all_to_all ? 0 : passes * (ranks - 2);
  return c.nccl_latency + steps * c.nccl_step + path_time(c, passes * (ranks - 1) / ranks * bytes, ranks, c.nccl_rate);
}

}  // namespace

double collective_time(const Collectives& constants, Collective operation, CollectiveLibrary library, double ranks,
                       double bytes) {
  const bool is_custom = operation == Collective::all_reduce && library != CollectiveLibrary::nccl;
  if (!is_custom) return nccl_time(constants, operation, ranks, bytes);
  const double custom = custom_time(constants, ranks, bytes);
  // The serving library gives longer vectors to NCCL; no more bytes are faster than fewer.
  const double limit = constants.custom_limit;
  if (bytes < limit) return custom;
  return std::max(nccl_time(constants, operation, ranks, bytes), custom_time(constants, ranks, limit));
}

}  // namespace pimsweep::hardware::links
