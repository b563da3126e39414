#pragma once

#include "systems/heteropim/machine.h"
#include "workload/training/training_graph.h"

namespace pimsweep::systems::heteropim {

/// Seconds of one operation.
struct HostTime {
  double seconds = 0;
  /// The part of `seconds` spent waiting for memory.
  double movement = 0;
};

/// The host processor as a roofline: an operation takes the time of the slowest of arithmetic, third-level cache and
/// memory, plus the dispatch of the framework.
class HostModel {
 public:
  /// `memory_bandwidth` is that of the memory that serves as main memory.
  HostModel(const Host& host, double memory_bandwidth) : host_(host), memory_bandwidth_(memory_bandwidth) {}

  /// `traffic`: bytes of tensors between memory and cache (cache_traffic.h).
  HostTime time(const workload::training::TrainingOperation& operation, double traffic) const;
  /// Bytes between memory and cache: `traffic`, or more for a GEMM whose operands no cache can hold. Each multiply-add
  /// reads 2 words, of which a cache of S words saves all but one in sqrt(S / 3) (square tiles of three matrices; Hong
  /// and Kung 1981 show that no order does better than O(1 / sqrt(S))).
  double memory_bytes(const workload::training::TrainingOperation& operation, double traffic) const;

 private:
  Host host_;
  double memory_bandwidth_;
};

}  // namespace pimsweep::systems::heteropim
