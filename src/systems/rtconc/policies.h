#pragma once

#include <array>
#include <span>
#include <string_view>

#include "systems/rtconc/scheduling.h"

namespace pimsweep::systems::rtconc {

/// Input of a policy.
struct PolicyInput {
  const Settings& settings;
  /// The step's classes; the strategies choose threads for the resizable ones.
  std::span<const schedule::OperationClass> classes;
  const PerformanceModel& model;
};

/// A scheduler: start and number of threads of each operation.
struct Policy {
  std::string_view name;
  std::string_view doc;
  /// Throws PointError for a setting that the processor cannot have.
  Scheduled (*choose)(Scheduling& scheduling, const PolicyInput& input);
};

extern const std::array<Policy, 9> policies;

}  // namespace pimsweep::systems::rtconc
