#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "systems/allspark/scheduler/schedule_problem.h"

namespace pimsweep::systems::allspark::scheduler {

/// Units of cycles and bytes in the programs, which keep coefficients well above the tolerances of a floating-point
/// solver. They are powers of two, so that no coefficient is rounded.
struct MilpUnits {
  double cycles = 1;
  double bytes = 1;
};

/// The largest layer costs 2^16 units or less, the memory is 2^13 units or less: a cycle in 10^9 and a byte in 10^7
/// stay above tolerances of 10^-9.
inline MilpUnits milp_units(const ScheduleProblem& problem) {
  std::int64_t cycles = 1;
  for (const StageProblem& stage : problem.stages) {
    for (const Scheme& scheme : stage.schemes) cycles = std::max(cycles, scheme.cycles);
  }
  const auto unit = [](std::int64_t value, int bits) {
    const auto width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(value, 1))));
    return static_cast<double>(std::uint64_t{1} << std::max(0, width - bits));
  };
  return {unit(cycles, 16), unit(problem.memory_bytes, 13)};
}

}  // namespace pimsweep::systems::allspark::scheduler
