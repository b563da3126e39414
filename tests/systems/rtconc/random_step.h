#pragma once

#include <random>
#include <vector>

#include "hardware/manycore/operations.h"
#include "systems/rtconc/schedule/board.h"

namespace pimsweep::systems::rtconc {

/// A processor, a step of operations of all sizes on it, and their costs.
struct RandomStep {
  hardware::manycore::Device device;
  std::vector<schedule::OperationClass> classes;
  schedule::Step step;
  std::vector<std::vector<std::uint32_t>> predecessors;
};

inline hardware::manycore::Device random_device(std::mt19937& random) {
  const auto any = [&](double least, double most) { return std::uniform_real_distribution(least, most)(random); };
  hardware::manycore::Device device;
  device.clock = 1e9 * any(1, 3);
  device.cores_per_tile = 2;
  device.cores = 2 * std::uniform_int_distribution(2, 8)(random);
  device.smt = 4;
  device.lanes = 16;
  device.fma_units = 2;
  device.fma_latency_cycles = 6;
  device.registers = 32;
  device.issue_width = 2;
  device.tile_cache = 1e6 * any(0.1, 2);
  device.memory_bandwidth = 1e9 * any(10, 500);
  device.memory_efficiency = any(0.5, 1);
  device.core_bandwidth = 1e9 * any(2, 15);
  device.cache_bandwidth = 1e9 * any(20, 60);
  device.line_transfer = 1e-9 * any(0, 300);
  device.gather_cycles = any(0, 20);
  device.sustained = any(0.5, 1);
  device.spawn = 1e-6 * any(0, 50);
  return device;
}

/// Products and element-wise operations of random sizes; some operations take no time.
inline RandomStep random_step(std::mt19937& random, std::size_t operations) {
  const auto any = [&](std::uint32_t least, std::uint32_t most) {
    return std::uniform_int_distribution(least, most)(random);
  };
  RandomStep made;
  made.device = random_device(random);
  const hardware::manycore::Operations make(made.device, hardware::manycore::Library::mkl_dnn);
  for (std::uint32_t c = 0; c < 8; ++c) {
    schedule::OperationClass one;
    one.work = c % 2 == 0 ? make.gemm(any(1, 300), any(1, 300), any(1, 300))
                          : make.elementwise(any(1, 1'000'000), any(1, 3), 1, any(0, 5));
    one.kind = c / 2;
    one.waking = {static_cast<schedule::Start>(any(0, 2)), 1e-6 * any(0, 30)};
    if (any(0, 3) == 0) one.max_threads = any(1, 10);
    made.classes.push_back(one);
  }
  schedule::Step& step = made.step;
  step.kinds = 4;
  made.predecessors.resize(operations);
  std::vector<std::vector<std::uint32_t>> followers(operations);
  for (std::uint32_t i = 0; i < operations; ++i) {
    step.operation_class.push_back(any(0, 9) == 0 ? schedule::Step::none : any(0, 7));
    for (std::uint32_t before = i < 12 ? 0 : i - 12; before < i; ++before) {
      if (any(0, 5) != 0) continue;
      made.predecessors[i].push_back(before);
      followers[before].push_back(i);
    }
    step.predecessors.push_back(static_cast<std::uint32_t>(made.predecessors[i].size()));
  }
  step.successor_begin.push_back(0);
  for (const auto& each : followers) {
    step.successors.insert(step.successors.end(), each.begin(), each.end());
    step.successor_begin.push_back(static_cast<std::uint32_t>(step.successors.size()));
  }
  return made;
}

}  // namespace pimsweep::systems::rtconc
