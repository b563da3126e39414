#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "systems/rtconc/schedule/cost_table.h"

namespace pimsweep::systems::rtconc {

/// Source of the time of a case.
enum class Basis : std::uint8_t {
  measured,
  /// From measured cases on both sides, or from a regression.
  predicted,
  /// Beyond the measured cases, where the paper has no rule: the nearest measured time, which no accuracy counts.
  unknown,
};

/// A performance model: predicted times and their sources.
struct PerformanceModel {
  schedule::Prediction prediction;
  /// In the layout of prediction.seconds.
  std::vector<Basis> basis;
  /// For each class, 1 if it is too short for the clock even on one thread, so that its prediction is not judged.
  std::vector<char> untimed;
  /// Training steps that were run to measure.
  double steps = 0;
};

/// Affinities that are measured.
enum class Sharing : std::uint8_t { both, without, with };

/// Hill climbing (Sec. III-C): 1 thread, 1 + interval, and so on, until the time goes up or all cores are used; for
/// both affinities, of threads that share tiles the next even number. Between measured cases linear interpolation.
/// `costs` has the measured times in all cases of the device. `noise`: standard deviation of a measured time, relative
/// to it.
PerformanceModel hill_climbing(const hardware::manycore::Device& device, const schedule::CostTable& costs,
                               std::span<const schedule::Case> cases, std::int64_t interval, Sharing sharing,
                               double noise, std::uint64_t seed);

/// A model that predicts the true times.
PerformanceModel known_times(const schedule::CostTable& costs);

/// Mean over classes and predicted cases of 1 - |predicted - true| / true (Sec. III-B); NaN if there are none.
double accuracy(const PerformanceModel& model, const schedule::CostTable& costs);

/// Coefficient of determination over classes and predicted cases; NaN if there are none.
double determination(const PerformanceModel& model, const schedule::CostTable& costs);

/// 1 - sum of errors / sum of times over classes and predicted cases: long operations count more.
double weighted_accuracy(const PerformanceModel& model, const schedule::CostTable& costs);

}  // namespace pimsweep::systems::rtconc
