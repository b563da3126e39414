#pragma once

#include <span>

#include "hardware/gpu/device.h"
#include "hardware/gpu/kernel_cost.h"

namespace pimsweep::hardware::gpu {

/// Arithmetic units and number format of one kind of GEMM on one device.
struct MathPath {
  /// Operations per second of one multiprocessor at its sustained clock.
  double rate = 0;
  double energy = 0;
  double input_bytes = 4;
  double output_bytes = 4;
  /// Loads of operands from shared memory share the issue slots with multiply-adds (not on tensor cores).
  bool loads_take_issue_slots = true;
};

/// The part of a GEMM that a thread block computes: rows x columns, in steps of `depth`.
struct Tile {
  int rows;
  int columns;
  int depth;
  int threads;
  int registers;
};

/// A tile with all values that do not depend on the GEMM.
struct PreparedTile {
  double rows = 0;
  double columns = 0;
  double depth = 0;
  /// Thread blocks that a multiprocessor holds.
  double occupancy = 1;
  /// Seconds and operations of one block per unit of depth.
  double seconds_per_depth = 0;
  double operations_per_depth = 0;
  /// Minimum seconds of a step of `depth`: one memory latency, divided by the steps that are under way.
  double seconds_per_step = 0;
};

PreparedTile prepare(const Tile& tile, const MathPath& path, const Device& device);

/// `batch` GEMMs of a rows x depth matrix and a depth x columns matrix. Bytes are those of each whole operand in memory
/// (for a convolution, fewer than those of the GEMM).
struct GemmShape {
  double rows = 1;
  double columns = 1;
  double depth = 1;
  double batch = 1;
  double a_bytes = 0;
  double b_bytes = 0;
  double c_bytes = 0;
};

/// Kernels from which the library can choose.
struct GemmKernels {
  std::span<const PreparedTile> tiles;
  /// Maximum number of parts of the depth, each with its own thread blocks; powers of two up to this one are tried.
  int max_splits = 1;
  /// Stalls of the main loop, in units of Device::stall: more if operands are gathered.
  double stalls = 1;
  /// Registers for addresses leave room for one block only (two if tiles are small).
  bool gathers = false;
  /// Launches take no separate time: the least work is the fastest.
  bool launches_queued = false;
};

/// The fastest of the kernels: roofline with tile and wave quantization, occupancy, split depth and a cache model
/// (equations: docs/gpu.md). Never slower if the device gets more multiprocessors, clock or bandwidth.
KernelCost tiled_gemm(const Device& device, const MathPath& path, const GemmKernels& kernels, const GemmShape& shape);

}  // namespace pimsweep::hardware::gpu
