#pragma once

namespace pimsweep::hardware::manycore {

/// Bytes of an fp32 value.
inline constexpr double value_bytes = 4;

/// An operation as loops that threads share: rows x columns x depth chunks. A thread gets whole chunks, so extents are
/// the parallel grain. Where the depth is split, each part has its own partial result, to be added at the end.
struct Loops {
  double rows = 1;
  double columns = 1;
  double depth = 1;
  /// The depth may be split between threads.
  bool splits_depth = false;
  /// Rows and columns are a single loop for the threads, instead of a grid of blocks.
  bool collapses = false;
  /// Vector operations per chunk, including idle lanes, and the fraction of the peak that their loop can reach.
  double operations = 0;
  double efficiency = 1;
  /// Scalar cycles per chunk.
  double scalar_cycles = 0;
  /// Bytes that a chunk reads of the operand shared along the columns, of the operand shared along the rows, and of its
  /// part of the result.
  double row_bytes = 0;
  double column_bytes = 0;
  double result_bytes = 0;
  /// Distinct bytes read and written by all chunks together, unless they are in the caches already.
  double memory_bytes = 0;
  /// Bytes that the caches must hold for the next run to find its data there.
  double footprint = 0;
  /// Operands are copied before they are used: reading does not overlap with computing.
  bool packs = false;
};

/// Loops that run `repeats` times, each time started and ended by all threads together, and the work of a single
/// thread.
struct Work {
  Loops loops;
  double repeats = 1;
  /// Correction factor on the time of the loops.
  double error = 1;
  /// Scalar cycles before and after the loops, divided evenly among the threads.
  double shared_cycles = 0;
  /// Bytes that one thread copies while the others wait.
  double serial_bytes = 0;
  /// Operations by the mathematical definition.
  double defined_operations = 0;
};

}  // namespace pimsweep::hardware::manycore
