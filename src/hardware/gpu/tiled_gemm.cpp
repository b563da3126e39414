#include "hardware/gpu/tiled_gemm.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pimsweep::hardware::gpu {

namespace {

/// Memory latencies before the first multiply-add and after the last one.
constexpr double trips_at_the_ends = 2;
/// The second kernel of a split GEMM is queued while the first one runs: half a launch.
constexpr double launches_of_a_sum = 0.5;
/// Partial sums are fp32, written once and read once.
constexpr double bytes_of_a_partial_sum = 8;
/// A multiply-add and one vector load of four words take an issue slot each: a thread that computes t x t values loads
/// 2 t words for t^2 multiply-adds, so 1 / (2 t) more slots.
constexpr double slots_for_loads = 0.5;
constexpr int words_of_small_step = 8;
constexpr int large_tile = 8192;

/// Launches for which a GEMM by itself waits.
double launches_of(double split) { return split > 1 ? 1 + launches_of_a_sum : 1; }

/// A choice of tile and split, and its cost.
struct Candidate {
  /// Objective: the work and the launches that count.
  double seconds = std::numeric_limits<double>::infinity();
  double work_seconds = 0;
  /// Fraction of the thread-block slots.
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
  // Two steps are in shared memory: one is multiplied while the next one is loaded.
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
  prepared.seconds_per_step = device.memory_latency_cycles / device.clock / device.steps_ahead();
  return prepared;
}

namespace {

/// Finds the fastest tile and split of one GEMM.
class TileSearch {
 public:
  TileSearch(const Device& device, const MathPath& path, const GemmKernels& kernels, const GemmShape& shape)
      : device_(device), path_(path), kernels_(kernels), shape_(shape) {}

  Candidate fastest() {
    for (const PreparedTile& tile : kernels_.tiles) {
      tile_ = &tile;
      tile_rows_ = std::ceil(shape_.rows / tile.rows);
      tile_columns_ = std::ceil(shape_.columns / tile.columns);
      tiles_ = tile_rows_ * tile_columns_ * shape_.batch;
      occupancy_ = tile.occupancy;
      if (kernels_.gathers) occupancy_ = std::min(occupancy_, tile.rows * tile.columns >= large_tile ? 1.0 : 2.0);
      try_splits();
    }
    return best_;
  }

 private:
  void try_splits() {
    // No split can be faster than all blocks spread evenly without a stall.
    const double min_math_time = tiles_ * shape_.depth * tile_->seconds_per_depth / device_.multiprocessors + ends_;
    const double min_seconds = std::max(min_math_time, min_memory_time_) + launch_;
    for (int split = 1; split <= kernels_.max_splits; split *= 2) {
      const bool sums = split > 1;
      if (sums && split > shape_.depth / tile_->depth) break;
      if (min_seconds + (sums ? launches_of_a_sum * launch_ : 0) >= best_.seconds) break;
      try_split(split);
    }
  }

  void try_split(int split) {
    const bool sums = split > 1;
    const double steps = std::ceil(shape_.depth / split / tile_->depth);
    const double depth = steps * tile_->depth;
    const double blocks = tiles_ * split;
    const double blocks_each = std::ceil(blocks / device_.multiprocessors);
    const double waves = std::ceil(blocks_each / occupancy_);
    const double math_time =
        std::max((blocks_each + device_.stall * kernels_.stalls * waves) * depth * tile_->seconds_per_depth,
                 waves * steps * tile_->seconds_per_step) +
        ends_;
    const double loaded = blocks * (tile_->rows + tile_->columns) * depth * path_.input_bytes;
    const double partial_sums = sums ? bytes_of_a_partial_sum * split * output_values_ : 0;
    const double memory_bytes = std::min(operand_bytes(blocks), std::max(loaded, compulsory_)) + shape_.c_bytes +
                                (partial_sums > device_.cache_capacity / 2 ? partial_sums : 0) - kept_;
    const double cache_bytes = loaded + partial_sums + shape_.c_bytes;
    const double memory_time = memory_bytes / bandwidth_;
    const double work_time = std::max({math_time, memory_time, cache_bytes / cache_bandwidth_});
    const double seconds = work_time + launch_ * launches_of(split);
    if (seconds >= best_.seconds) return;
    const Bound work_bound =
        work_time == math_time ? Bound::math : (work_time == memory_time ? Bound::memory : Bound::cache);
    best_ = {.seconds = seconds,
             .work_seconds = work_time,
             .held = blocks / (device_.multiprocessors * occupancy_ * waves),
             .tile = tile_,
             .split = static_cast<double>(split),
             .blocks = blocks,
             .depth = depth,
             .cache_bytes = cache_bytes,
             .memory_bytes = memory_bytes,
             .bound = device_.launch * launches_of(split) > work_time ? Bound::launch : work_bound};
  }

  /// Traffic of both operands. Concurrent blocks form a patch of the result, as square as possible; the operands that
  /// they share are read once.
  double operand_bytes(double blocks) const {
    const double together = std::min(blocks, device_.multiprocessors * occupancy_);
    const double patch_rows = std::min(tile_rows_, std::max(1.0, std::sqrt(together)));
    const double patch_columns = std::min(tile_columns_, std::max(1.0, together / patch_rows));
    const double a_reads = shape_.a_bytes < device_.cache_capacity ? 1 : std::max(1.0, tile_columns_ / patch_columns);
    const double b_reads = shape_.b_bytes < device_.cache_capacity ? 1 : std::max(1.0, tile_rows_ / patch_rows);
    return shape_.a_bytes * a_reads + shape_.b_bytes * b_reads;
  }

  const Device& device_;
  const MathPath& path_;
  const GemmKernels& kernels_;
  const GemmShape& shape_;
  const double bandwidth_ = device_.memory_bandwidth * device_.memory_efficiency;
  const double launch_ = kernels_.launches_queued ? 0 : device_.launch;
  const double cache_bandwidth_ = device_.cache_bytes_per_cycle * device_.clock;
  const double ends_ = trips_at_the_ends * device_.memory_latency_cycles / device_.clock;
  const double compulsory_ = shape_.a_bytes + shape_.b_bytes;
  /// Activations that do not leave the cache.
  const double kept_ = std::min(device_.kept_bytes(), shape_.a_bytes + shape_.c_bytes);
  const double min_memory_time_ = (compulsory_ + shape_.c_bytes - kept_) / bandwidth_;
  const double output_values_ = shape_.rows * shape_.columns * shape_.batch;
  /// The tile being tried.
  const PreparedTile* tile_ = nullptr;
  double tile_rows_ = 0;
  double tile_columns_ = 0;
  double tiles_ = 0;
  double occupancy_ = 0;
  Candidate best_ = {.tile = kernels_.tiles.data()};
};

}  // namespace

KernelCost tiled_gemm(const Device& device, const MathPath& path, const GemmKernels& kernels, const GemmShape& shape) {
  const Candidate best = TileSearch(device, path, kernels, shape).fastest();
  KernelCost cost;
  cost.seconds = best.work_seconds + device.launch * launches_of(best.split);
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
