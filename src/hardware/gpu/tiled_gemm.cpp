#include "hardware/gpu/tiled_gemm.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pimsweep::hardware::gpu {

namespace {

/// Trips to memory before the first multiply-add and after the last one.
constexpr double trips_at_the_ends = 2;
/// The second kernel of a split product is queued while the first one runs: half a launch.
constexpr double launches_of_a_sum = 0.5;
/// Partial sums are fp32, written once and read once.
constexpr double bytes_of_a_partial_sum = 8;
/// A multiply-add and one vector load of four words take an issue slot each: a thread that computes t x t values loads
/// 2 t words for t^2 multiply-adds, so 1 / (2 t) slots more.
constexpr double slots_for_loads = 0.5;
constexpr int words_of_small_step = 8;
constexpr int large_tile = 8192;

struct Best {
  double seconds = std::numeric_limits<double>::infinity();
  double work_seconds = 0;
  /// Share of the places for thread blocks.
  double held = 0;
  const PreparedTile* tile = nullptr;
  double split = 1;
  double blocks = 0;
  double depth = 0;
  double cache_bytes = 0;
  double memory_bytes = 0;
  Bound bound = Bound::launch;
};

}  // namespace

PreparedTile prepare(const Tile& tile, const MathPath& path, const Device& device) {
  const double area = static_cast<double>(tile.rows) * tile.columns;
  const double step_bytes = static_cast<double>(tile.rows + tile.columns) * tile.depth * path.input_bytes;
  PreparedTile prepared;
  prepared.rows = tile.rows;
  prepared.columns = tile.columns;
  prepared.depth = tile.depth;
  // Two steps are in shared memory: one is multiplied, the next one is loaded.
  prepared.occupancy = std::max(
      1.0,
      std::floor(std::min({device.registers / (static_cast<double>(tile.registers) * tile.threads),
                           device.threads / tile.threads, device.blocks, device.shared_memory / (2 * step_bytes)})));
  double slots = 1;
  if (path.loads_take_issue_slots) {
    // Small tiles with deep steps share the depth of a step among their warps ("sliced"): a thread has more values.
    const double slices = tile.depth > words_of_small_step && area < large_tile ? tile.depth / words_of_small_step : 1;
    slots += slots_for_loads / std::sqrt(std::min(64.0, area / tile.threads * slices));
  }
  prepared.operations_per_depth = 2 * area;
  prepared.seconds_per_depth = prepared.operations_per_depth / path.rate * slots;
  prepared.seconds_per_step = device.memory_latency_cycles / device.clock;
  return prepared;
}

KernelCost tiled_gemm(const Device& device, const MathPath& path, const GemmKernels& kernels, const GemmShape& shape) {
  const double bandwidth = device.memory_bandwidth * device.memory_efficiency;
  const double cache_bandwidth = device.cache_bytes_per_cycle * device.clock;
  const double ends = trips_at_the_ends * device.memory_latency_cycles / device.clock;
  const double compulsory = shape.a_bytes + shape.b_bytes;
  const double least_memory_time = (compulsory + shape.c_bytes) / bandwidth;
  const double output_values = shape.rows * shape.columns * shape.batch;

  Best best;
  for (const PreparedTile& tile : kernels.tiles) {
    const double tile_rows = std::ceil(shape.rows / tile.rows);
    const double tile_columns = std::ceil(shape.columns / tile.columns);
    const double tiles = tile_rows * tile_columns * shape.batch;
    double occupancy = tile.occupancy;
    if (kernels.gathers) occupancy = std::min(occupancy, tile.rows * tile.columns >= large_tile ? 1.0 : 2.0);
    // No split can be faster than all blocks spread evenly without a stall.
    const double least_math_time = tiles * shape.depth * tile.seconds_per_depth / device.multiprocessors + ends;
    const double least = std::max(least_math_time, least_memory_time) + device.launch;

    for (int split = 1; split <= kernels.max_splits; split *= 2) {
      const bool sums = split > 1;
      if (sums && split > shape.depth / tile.depth) break;
      if (least + (sums ? launches_of_a_sum * device.launch : 0) >= best.seconds) break;
      const double steps = std::ceil(shape.depth / split / tile.depth);
      const double depth = steps * tile.depth;
      const double blocks = tiles * split;
      const double blocks_each = std::ceil(blocks / device.multiprocessors);
      const double waves = std::ceil(blocks_each / occupancy);
      const double math_time =
          std::max((blocks_each + device.stall * kernels.stalls * waves) * depth * tile.seconds_per_depth,
                   waves * steps * tile.seconds_per_step) +
          ends;
      // Blocks that run together form a patch of the result, as square as can be; what they share is read once.
      const double together = std::min(blocks, device.multiprocessors * occupancy);
      const double patch_rows = std::min(tile_rows, std::max(1.0, std::sqrt(together)));
      const double patch_columns = std::min(tile_columns, std::max(1.0, together / patch_rows));
      const double a_reads = shape.a_bytes < device.cache_capacity ? 1 : std::max(1.0, tile_columns / patch_columns);
      const double b_reads = shape.b_bytes < device.cache_capacity ? 1 : std::max(1.0, tile_rows / patch_rows);
      const double loaded = blocks * (tile.rows + tile.columns) * depth * path.input_bytes;
      const double partial_sums = sums ? bytes_of_a_partial_sum * split * output_values : 0;
      const double memory_bytes =
          std::min(shape.a_bytes * a_reads + shape.b_bytes * b_reads, std::max(loaded, compulsory)) + shape.c_bytes +
          (partial_sums > device.cache_capacity / 2 ? partial_sums : 0);
      const double cache_bytes = loaded + partial_sums + shape.c_bytes;
      const double memory_time = memory_bytes / bandwidth;
      const double cache_time = cache_bytes / cache_bandwidth;
      const double work_time = std::max({math_time, memory_time, cache_time});
      const double launch_time = device.launch * (sums ? 1 + launches_of_a_sum : 1);
      const double seconds = work_time + launch_time;
      if (seconds >= best.seconds) continue;
      const Bound work_bound =
          work_time == math_time ? Bound::math : (work_time == memory_time ? Bound::memory : Bound::cache);
      best = {seconds,
              work_time,
              blocks / (device.multiprocessors * occupancy * waves),
              &tile,
              static_cast<double>(split),
              blocks,
              depth,
              cache_bytes,
              memory_bytes,
              launch_time > work_time ? Bound::launch : work_bound};
    }
  }

  KernelCost cost;
  cost.seconds = best.seconds;
  cost.work_seconds = best.work_seconds;
  cost.held_seconds = best.work_seconds * best.held;
  cost.operations = best.blocks * best.depth * best.tile->operations_per_depth;
  cost.cache_bytes = best.cache_bytes;
  cost.memory_bytes = best.memory_bytes;
  cost.launches = best.split > 1 ? 2 : 1;
  cost.math_energy = cost.operations * path.energy;
  cost.bound = best.bound;
  cost.algorithm = Algorithm::tiled_gemm;
  cost.tile_rows = static_cast<int>(best.tile->rows);
  cost.tile_columns = static_cast<int>(best.tile->columns);
  cost.split = static_cast<int>(best.split);
  return cost;
}

}  // namespace pimsweep::hardware::gpu
