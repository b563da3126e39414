#include "hardware/manycore/run_time.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pimsweep::hardware::manycore {

namespace {

/// Bandwidth in bytes per second available to these cores: limited by their own demand, by the memory, and by other
/// operations.
double bandwidth_of(const Device& device, double cores, const Contention& contention) {
  const double all = device.memory_bandwidth * device.memory_efficiency;
  const double wanted = std::min(all, cores * device.core_bandwidth);
  return wanted * std::min(1.0, all / (wanted + contention.bandwidth));
}

/// A split of the loops: chunks of the busiest thread, number of threads with work, operand bytes fetched by all tiles.
struct Split {
  double chunks = 0;
  double threads = 1;
  double fetched = 0;
  double rows = 1;
  double columns = 1;
  double depth = 1;
};

/// Each thread has a block of rows x columns x depth. The threads of a tile are neighbors along rows or columns.
Split blocks(const Loops& loops, const Placement& placement, double row_parts, double column_parts,
             double depth_parts) {
  const double rows = std::ceil(loops.rows / row_parts);
  const double columns = std::ceil(loops.columns / column_parts);
  const double depth = std::ceil(loops.depth / depth_parts);
  const double used = row_parts * column_parts * depth_parts;
  const double in_tile = std::min(placement.threads_per_tile, row_parts * column_parts);
  const double row_panel = rows * depth * loops.row_bytes;
  const double column_panel = columns * depth * loops.column_bytes;
  const auto tile = [in_tile](double parts, double along, double across) {
    return std::min(in_tile, parts) * along + std::ceil(in_tile / parts) * across;
  };
  const double fetched = std::min(placement.tiles, used) * std::min(tile(row_parts, row_panel, column_panel),
                                                                    tile(column_parts, column_panel, row_panel));
  return {rows * columns * depth, used, fetched, row_parts, column_parts, depth_parts};
}

/// The chunks of both loops in one sequence, of which each thread has a contiguous piece; rows or columns come first.
Split line(const Loops& loops, const Placement& placement) {
  const double all = loops.rows * loops.columns;
  const double chunks = std::ceil(all / placement.threads);
  const double used = std::ceil(all / chunks);
  const double in_tile = std::min(all, chunks * placement.threads_per_tile);
  const auto tile = [in_tile](double length, double along, double across) {
    return std::min(in_tile, length) * along + std::ceil(in_tile / length) * across;
  };
  const double row_panel = loops.depth * loops.row_bytes;
  const double column_panel = loops.depth * loops.column_bytes;
  const double fetched = std::min(placement.tiles, used) * std::min(tile(loops.rows, row_panel, column_panel),
                                                                    tile(loops.columns, column_panel, row_panel));
  return {chunks * loops.depth, used, fetched, used, 1, 1};
}

/// Calls `consider` with every split that the library may choose.
template <typename Consider>
void for_each_split(const Loops& loops, const Placement& placement, const Consider& consider) {
  if (loops.collapses) return consider(line(loops, placement));
  const double max_depth_parts = loops.splits_depth ? std::min(placement.threads, loops.depth) : 1;
  for (int depth_part = 1; depth_part <= max_depth_parts; ++depth_part) {
    const double depth_parts = depth_part;
    // A smaller number of parts may have the same largest part.
    if (depth_parts != std::ceil(loops.depth / std::ceil(loops.depth / depth_parts))) continue;
    const double grid = std::floor(placement.threads / depth_parts);
    for (int row_part = 1; row_part <= std::min(grid, loops.rows); ++row_part) {
      const double row_parts = row_part;
      if (row_parts != std::ceil(loops.rows / std::ceil(loops.rows / row_parts))) continue;
      const double columns = std::ceil(loops.columns / std::min(loops.columns, std::floor(grid / row_parts)));
      consider(blocks(loops, placement, row_parts, std::ceil(loops.columns / columns), depth_parts));
    }
  }
}

}  // namespace

std::string_view name_of(Bound bound) {
  switch (bound) {
    case Bound::compute:
      return "compute";
    case Bound::memory:
      return "memory";
    case Bound::sharing:
      return "sharing";
    case Bound::conversion:
      return "conversion";
    case Bound::serial:
      return "serial";
    case Bound::threads:
      break;
  }
  return "threads";
}

Bound RunTime::bound() const {
  const double longest = std::max({compute, memory, sharing + reduction, conversion, serial, barriers});
  if (longest == compute) return Bound::compute;
  if (longest == memory) return Bound::memory;
  if (longest == sharing + reduction) return Bound::sharing;
  if (longest == conversion) return Bound::conversion;
  return longest == serial ? Bound::serial : Bound::threads;
}

double barrier_time(const Device& device, const Placement& placement) {
  return 2 * (placement.threads - 1) * device.line_transfer;
}

RunTime run_time(const Device& device, const Work& work, const Placement& placement, const Contention& contention) {
  const Loops& loops = work.loops;
  const double cache = std::max(0.0, placement.tiles * (device.tile_cache - contention.tile_footprint));
  const double core_share = placement.threads_per_core + contention.threads_per_core;
  const double chunk_seconds =
      core_share * (loops.operations / (device.core_rate() * device.sustained * loops.efficiency) +
                    loops.scalar_cycles / device.clock);
  // From one to two times the cache size, a decreasing share is still in the cache when it is read again.
  const double missing = cache > 0 ? std::clamp(loops.footprint / cache - 1, 0.0, 1.0) : 1;
  const double memory_bytes = loops.memory_bytes * missing;
  const double row_operand = loops.rows * loops.depth * loops.row_bytes;
  const double column_operand = loops.columns * loops.depth * loops.column_bytes;
  const double result = loops.rows * loops.columns * loops.result_bytes;
  const double barrier = barrier_time(device, placement);

  RunTime best;
  best.total = std::numeric_limits<double>::infinity();
  for_each_split(loops, placement, [&](const Split& split) {
    const double cores = std::min(split.threads, placement.cores);
    const double bandwidth = bandwidth_of(device, cores, contention);
    const double again = std::max(0.0, split.fetched - row_operand - column_operand);
    RunTime t;
    t.compute = split.chunks * chunk_seconds;
    t.memory = std::max(memory_bytes / bandwidth, loops.memory_bytes / (cores * device.cache_bandwidth));
    t.sharing = again / bandwidth;
    if (split.depth > 1) t.reduction = barrier + 2 * (split.depth - 1) * result / bandwidth;
    t.total = (loops.packs ? t.compute + t.memory : std::max(t.compute, t.memory)) + t.sharing + t.reduction;
    if (t.total >= best.total) return;
    t.memory_bytes = memory_bytes + again;
    t.imbalance = split.chunks * placement.threads / (loops.rows * loops.columns * loops.depth);
    t.row_parts = split.rows;
    t.column_parts = split.columns;
    t.depth_parts = split.depth;
    best = t;
  });
  best.barriers = barrier;
  best.memory_bytes = work.repeats * best.memory_bytes + work.serial_bytes;
  best.serial = work.serial_bytes / bandwidth_of(device, 1, contention);
  best.conversion = core_share * work.shared_cycles / device.clock / placement.threads;
  const double times = work.repeats * work.error;
  best.total = times * (best.total + barrier) + best.conversion + best.serial;
  for (double* part : {&best.compute, &best.memory, &best.sharing, &best.reduction, &best.barriers}) {
    *part *= times;
  }
  return best;
}

double change_time(const Device& device, const Placement& from, const Placement& to, double footprint) {
  const double created = std::max(0.0, to.threads - from.threads);
  const double moved_tiles = std::abs(to.tiles - from.tiles);
  const double all_tiles = std::max(to.tiles, from.tiles);
  const double held = std::min(footprint, from.tiles * device.tile_cache);
  return created * device.spawn + held * moved_tiles / all_tiles / bandwidth_of(device, to.cores, {});
}

void run_together(const Device& device, std::span<const Running> running, std::span<RunTime> times) {
  const auto alone = [&](const Running& one) { return run_time(device, one.work, one.placement); };
  double demand = 0;
  double shared_threads = 0;
  double shared_footprint = 0;
  for (const Running& one : running) {
    const RunTime t = alone(one);
    demand += t.memory_bytes / t.total;
    if (!one.shares_cores) continue;
    shared_threads += one.placement.threads_per_core;
    shared_footprint += one.work.loops.footprint / one.placement.tiles;
  }
  for (std::size_t i = 0; i < running.size(); ++i) {
    const Running& one = running[i];
    const RunTime t = alone(one);
    Contention contention;
    contention.bandwidth = demand - t.memory_bytes / t.total;
    if (one.shares_cores) {
      contention.threads_per_core = shared_threads - one.placement.threads_per_core;
      contention.tile_footprint =
          std::min(device.tile_cache, shared_footprint - one.work.loops.footprint / one.placement.tiles);
    }
    times[i] = run_time(device, one.work, one.placement, contention);
  }
}

}  // namespace pimsweep::hardware::manycore
