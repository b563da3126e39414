#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/rtconc/training_run.h"

namespace pimsweep::systems::rtconc {

/// Lower bounds of the time of a step.
struct Bounds {
  double critical_path = 0;
  /// The arithmetic of all operations, spread evenly over all cores.
  double work = 0;
};
Bounds bounds_of(const Settings& settings, const TrainingRun& run);

/// Sums over the operations of a type.
struct TypeTotal {
  workload::training::OperationType type = workload::training::OperationType::Const;
  std::int64_t instances = 0;
  double seconds = 0;
  double recommended = 0;
  double threads = 0;

  double mean_threads() const { return threads / static_cast<double>(instances); }
};

/// By time under the recommended policy, longest first.
std::vector<TypeTotal> totals_by_type(const TrainingRun& run);

/// As many events as Figure 4 shows, in the middle of the step.
std::span<const schedule::Event> middle_events(const schedule::Outcome& outcome);

/// Share of MKL's and MKL-DNN's operations in the time under the recommended policy.
double mkl_share(const TrainingRun& run);

/// Mean number of cores with a thread.
double busy_cores(const schedule::Outcome& outcome);

/// Shape of times over threads, for all timed classes (Sec. III-C claims that it is convex and without local optima).
struct ShapeOfTime {
  double not_convex = 0;
  double with_local_optima = 0;
  /// Mean of time in the case predicted to be best / best time - 1.
  double mean_loss = 0;
};

ShapeOfTime shape_of_time(const schedule::CostTable& costs, std::span<const schedule::Case> cases,
                          const PerformanceModel& model);

}  // namespace pimsweep::systems::rtconc
