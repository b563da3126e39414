#include "systems/rtconc/schedule/run_cost.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::systems::rtconc::schedule {

namespace {

/// Share of its data that an operation does not find in the caches of its tiles.
double missing(double footprint, double cache) { return cache > 0 ? std::clamp(footprint / cache - 1, 0.0, 1.0) : 1; }

double seconds_of(const RunCost& cost, double compute, double memory) {
  return cost.packs ? compute + memory : std::max(compute, memory);
}

}  // namespace

double waking_time(const Waking& waking, double threads) {
  switch (waking.start) {
    case Start::spinning:
      break;
    case Start::one_by_one:
      return (threads - 1) * waking.each;
    case Start::by_halves:
      return std::ceil(std::log2(threads)) * waking.each;
  }
  return 0;
}

RunCost run_cost(const hardware::manycore::Device& device, const hardware::manycore::Work& work,
                 const hardware::manycore::Placement& placement, const Waking& waking) {
  return run_cost(device, work, placement, waking, hardware::manycore::run_time(device, work, placement));
}

RunCost run_cost(const hardware::manycore::Device& device, const hardware::manycore::Work& work,
                 const hardware::manycore::Placement& placement, const Waking& waking,
                 const hardware::manycore::RunTime& time) {
  const double with_work = time.row_parts * time.column_parts * time.depth_parts;
  RunCost cost;
  cost.waking = waking_time(waking, placement.threads);
  cost.seconds = time.total + cost.waking;
  cost.waking_share = cost.waking / cost.seconds;
  cost.compute = time.compute;
  cost.conversion = time.conversion;
  cost.threads = placement.threads;
  cost.cores = placement.cores;
  cost.tiles = placement.tiles;
  cost.threads_per_core = placement.threads_per_core;
  cost.team = placement;
  cost.bandwidth = std::min(device.memory_bandwidth * device.memory_efficiency,
                            std::min(with_work, placement.cores) * device.core_bandwidth) /
                   work.error;
  cost.distinct_bytes = work.repeats * work.loops.memory_bytes;
  cost.footprint = work.loops.footprint;
  cost.memory = cost.distinct_bytes * missing(cost.footprint, placement.tiles * device.tile_cache) / cost.bandwidth;
  cost.caches = work.error * cost.distinct_bytes / (std::min(with_work, placement.cores) * device.cache_bandwidth);
  cost.transfers = time.sharing + time.reduction + time.serial;
  cost.barriers = time.barriers;
  cost.drawn = time.memory_bytes / cost.seconds;
  cost.packs = work.loops.packs;
  return cost;
}

double time_under_contention(const hardware::manycore::Device& device, const RunCost& cost,
                             const hardware::manycore::Contention& contention, const WakingContention& waking) {
  const double all = device.memory_bandwidth * device.memory_efficiency;
  const double slower = std::max(1.0, (cost.bandwidth + contention.bandwidth) / all);
  const double share = 1 + contention.threads_per_core / cost.threads_per_core;
  double memory = cost.memory;
  if (contention.tile_footprint > 0) {
    const double left = std::max(0.0, cost.tiles * (device.tile_cache - contention.tile_footprint));
    memory = cost.distinct_bytes * missing(cost.footprint, left) / cost.bandwidth;
  }
  return seconds_of(cost, cost.compute * share, std::max(memory * slower, cost.caches)) + cost.conversion * share +
         cost.transfers * slower + cost.barriers +
         cost.waking * std::max(1.0, cost.waking_share + waking.share) *
             std::max(1.0, waking.threads_per_core / device.issue_width);
}

double min_core_seconds(const hardware::manycore::Device& device, const hardware::manycore::Work& work) {
  const hardware::manycore::Loops& loops = work.loops;
  const double chunk = loops.operations / (device.core_rate() * device.sustained * loops.efficiency) +
                       loops.scalar_cycles / device.clock;
  return work.repeats * work.error * loops.rows * loops.columns * loops.depth * chunk +
         work.shared_cycles / device.clock;
}

}  // namespace pimsweep::systems::rtconc::schedule
