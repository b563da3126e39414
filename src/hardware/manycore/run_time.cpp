#include "hardware/manycore/run_time.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::manycore {

namespace {

/// Bytes per second that so many cores get: bound by their own demand, by the memory, and by the others.
double bandwidth_of(const Device& device, double cores, const Company& company) {
  const double all = device.memory_bandwidth * device.memory_efficiency;
  const double wanted = std::min(all, cores * device.core_bandwidth);
  return wanted * std::min(1.0, all / (wanted + company.bandwidth));
}

/// Bytes that the tiles fetch of the operands when a tile's threads are neighbours along the rows (`fast` parts) first.
double fetched(double tiles, double threads_per_tile, double fast_parts, double fast_panel, double slow_panel) {
  return tiles *
         (std::min(threads_per_tile, fast_parts) * fast_panel + std::ceil(threads_per_tile / fast_parts) * slow_panel);
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
    case Bound::serial:
      return "serial";
    case Bound::threads:
      break;
  }
  return "threads";
}

Bound RunTime::bound() const {
  const double longest = std::max({compute, memory, sharing + reduction, serial, barriers});
  if (longest == compute) return Bound::compute;
  if (longest == memory) return Bound::memory;
  if (longest == sharing + reduction) return Bound::sharing;
  return longest == serial ? Bound::serial : Bound::threads;
}

double barrier_time(const Device& device, const Placement& placement) {
  return 2 * (placement.threads - 1) * device.line_transfer;
}

RunTime run_time(const Device& device, const Work& work, const Placement& placement, const Company& company) {
  const Loops& loops = work.loops;
  const double cache = std::max(0.0, placement.tiles * (device.tile_cache - company.tile_footprint));
  const double core_share = placement.threads_per_core + company.threads_per_core;
  const double chunk_seconds =
      core_share * (loops.operations / (device.core_rate() * device.sustained * loops.efficiency) +
                    loops.scalar_cycles / device.clock);
  const double memory_bytes = loops.footprint <= cache ? 0 : loops.memory_bytes;
  const double row_operand = loops.rows * loops.depth * loops.row_bytes;
  const double column_operand = loops.columns * loops.depth * loops.column_bytes;
  const double result = loops.rows * loops.columns * loops.result_bytes;
  const double barrier = barrier_time(device, placement);
  const double most_depth_parts = loops.splits_depth ? std::min(placement.threads, loops.depth) : 1;

  RunTime best;
  bool any = false;
  for (double depth_parts = 1; depth_parts <= most_depth_parts; ++depth_parts) {
    const double depth = std::ceil(loops.depth / depth_parts);
    // The same thickness with fewer parts.
    if (depth_parts != std::ceil(loops.depth / depth)) continue;
    const double grid = std::floor(placement.threads / depth_parts);
    for (double row_parts = 1; row_parts <= std::min(grid, loops.rows); ++row_parts) {
      const double rows = std::ceil(loops.rows / row_parts);
      if (row_parts != std::ceil(loops.rows / rows)) continue;
      const double columns = std::ceil(loops.columns / std::min(loops.columns, std::floor(grid / row_parts)));
      const double column_parts = std::ceil(loops.columns / columns);

      RunTime t;
      t.compute = rows * columns * depth * chunk_seconds;
      const double used = row_parts * column_parts * depth_parts;
      const double cores = std::min(used, placement.cores);
      const double bandwidth = bandwidth_of(device, cores, company);
      t.memory = std::max(memory_bytes / bandwidth, loops.memory_bytes / (cores * device.cache_bandwidth));
      const double tiles = std::min(placement.tiles, used);
      const double in_tile = std::min(placement.threads_per_tile, row_parts * column_parts);
      const double row_panel = rows * depth * loops.row_bytes;
      const double column_panel = columns * depth * loops.column_bytes;
      const double all = std::min(fetched(tiles, in_tile, row_parts, row_panel, column_panel),
                                  fetched(tiles, in_tile, column_parts, column_panel, row_panel));
      const double again = std::max(0.0, all - row_operand - column_operand);
      t.sharing = again / bandwidth;
      if (depth_parts > 1) t.reduction = barrier + 2 * (depth_parts - 1) * result / bandwidth;
      t.total = (loops.packs ? t.compute + t.memory : std::max(t.compute, t.memory)) + t.sharing + t.reduction;
      if (any && t.total >= best.total) continue;
      any = true;
      t.memory_bytes = memory_bytes + again;
      t.imbalance = rows * columns * depth * placement.threads / (loops.rows * loops.columns * loops.depth);
      t.row_parts = row_parts;
      t.column_parts = column_parts;
      t.depth_parts = depth_parts;
      best = t;
    }
  }
  best.barriers = barrier;
  best.memory_bytes = work.repeats * best.memory_bytes + work.serial_bytes;
  best.serial = work.serial_bytes / bandwidth_of(device, 1, company);
  best.total = work.repeats * (best.total + barrier) + best.serial;
  for (double* part : {&best.compute, &best.memory, &best.sharing, &best.reduction, &best.barriers}) {
    *part *= work.repeats;
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
    Company company;
    company.bandwidth = demand - t.memory_bytes / t.total;
    if (one.shares_cores) {
      company.threads_per_core = shared_threads - one.placement.threads_per_core;
      company.tile_footprint =
          std::min(device.tile_cache, shared_footprint - one.work.loops.footprint / one.placement.tiles);
    }
    times[i] = run_time(device, one.work, one.placement, company);
  }
}

}  // namespace pimsweep::manycore
