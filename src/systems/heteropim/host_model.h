#pragma once

#include "systems/heteropim/machine.h"
#include "workload/training/training_graph.h"

namespace pimsweep::systems::heteropim {

/// Seconds of one operation.
struct HostTime {
  double seconds = 0;
  /// The part in which it waits for memory.
  double movement = 0;
};

/// The host processor as a roofline: an operation takes as long as the slowest of arithmetic, third-level cache and
/// memory, and the framework's dispatch.
class HostModel {
 public:
  /// `memory_bandwidth` is that of whatever the host's main memory is.
  HostModel(const Host& host, double memory_bandwidth) : host_(host), memory_bandwidth_(memory_bandwidth) {}

  /// `traffic`: bytes from and to memory that the tensors cost (cache_traffic.h).
  HostTime time(const workload::training::TrainingOperation& operation, double traffic) const;
  /// The same with what a product's operands cost that no cache can hold: each multiply-add reads 2 words, of which a
  /// cache of S words saves all but one in sqrt(S / 3) (square tiles of three matrices; Hong and Kung 1981 show that
  /// no order does better than O(1 / sqrt(S))).
  double memory_bytes(const workload::training::TrainingOperation& operation, double traffic) const;

 private:
  Host host_;
  double memory_bandwidth_;
};

}  // namespace pimsweep::systems::heteropim
