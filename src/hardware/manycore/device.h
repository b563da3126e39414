#pragma once

#include "hardware/model_error.h"

namespace pimsweep::hardware::manycore {

/// Errors of the modeled times of a library's loops.
struct OperationErrors {
  ModelError gemm = {};
  ModelError convolution = {};
  ModelError convolution_inputs = {};
  ModelError convolution_weights = {};

  friend bool operator==(const OperationErrors&, const OperationErrors&) = default;
};

/// A many-core processor; SI units. A tile is the set of cores that share the last-level cache: two cores on a Xeon
/// Phi, the whole chip with a single L3.
struct Device {
  double clock = 0;
  double cores = 0;
  double cores_per_tile = 0;
  /// Hardware threads per core.
  double smt = 1;
  /// fp32 values per vector register.
  double lanes = 0;
  /// Vector multiply-adds issued per core and cycle, and their latency.
  double fma_units = 0;
  double fma_latency_cycles = 0;
  double registers = 0;
  /// Instructions issued per core and cycle.
  double issue_width = 0;
  double tile_cache = 0;
  double memory_bandwidth = 0;
  double memory_efficiency = 0;
  /// Memory bandwidth of a single core.
  double core_bandwidth = 0;
  /// Last-level cache bandwidth per core.
  double cache_bandwidth = 0;
  /// Time to move a cache line between cores.
  double line_transfer = 0;
  /// Cycles to copy one element by computed indices, including border tests.
  double gather_cycles = 0;
  /// Fraction of the peak at `clock` that inner loops sustain.
  double sustained = 1;
  /// Time to create one thread and pin it to its core.
  double spawn = 0;
  OperationErrors errors = {};

  /// Operations per second of one core; a multiply-add counts as two.
  double core_rate() const { return 2 * clock * fma_units * lanes; }
  double peak() const { return cores * core_rate(); }

  friend bool operator==(const Device&, const Device&) = default;
};

}  // namespace pimsweep::hardware::manycore
