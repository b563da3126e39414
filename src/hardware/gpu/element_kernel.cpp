#include "hardware/gpu/element_kernel.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::hardware::gpu {

ElementRun run(const Device& device, const ThreadUnits& units, const ElementKernel& kernel, const LaunchShape& launch) {
  ElementRun result;
  const double warps = std::ceil(launch.threads / units.warp);
  const double lanes = warps * units.warp;
  if (launch.threads > units.block_threads) return result;
  result.resident_blocks =
      std::floor(std::min({device.threads / lanes, device.blocks, device.registers / (kernel.registers * lanes)}));
  if (result.resident_blocks < 1) return result;

  // Blocks beyond the last element end immediately.
  const double blocks = std::min(launch.blocks, std::ceil(kernel.elements / launch.threads));
  const double busiest = std::ceil(blocks / device.multiprocessors);
  const double resident = std::min(busiest, result.resident_blocks);
  result.waves = std::ceil(busiest / result.resident_blocks);
  result.occupancy = resident * lanes / device.threads;
  result.elements_each = std::ceil(kernel.elements / (blocks * launch.threads));

  const double clock = device.clock * device.sustained;
  const double issued_warps = device.fp32_rate / 2 / units.warp;
  const double warp_elements = warps * result.elements_each;
  const double issue_time = warp_elements * kernel.instructions / (issued_warps * clock);
  const double load_time = warp_elements * units.warp * kernel.load_words / (device.load_lanes * clock);
  const double trip_cycles = kernel.memory_trips * device.memory_latency_cycles +
                             kernel.cache_trips * units.cache_cycles + kernel.instructions * units.instruction_cycles;
  const double trip_time = result.waves * result.elements_each * trip_cycles / clock;
  const double unit_time = busiest * std::max(issue_time, load_time);
  const double memory_time = kernel.memory_bytes / (device.memory_bandwidth * device.memory_efficiency);
  const double cache_time = kernel.cache_bytes / (device.cache_bytes_per_cycle * device.clock);

  StreamLoad& load = result.load;
  load.launch = device.launch;
  load.work = std::max({memory_time, cache_time, unit_time, trip_time});
  load.held = load.work * blocks / (device.multiprocessors * result.resident_blocks * result.waves);
  load.units = unit_time * blocks / (busiest * device.multiprocessors);
  load.memory = memory_time;
  load.cache = cache_time;
  result.bound = load.launch > load.work    ? Bound::launch
                 : load.work == memory_time ? Bound::memory
                 : load.work == cache_time  ? Bound::cache
                 : load.work == unit_time   ? Bound::math
                                            : Bound::latency;
  return result;
}

}  // namespace pimsweep::hardware::gpu
