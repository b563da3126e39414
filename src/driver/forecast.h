#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/evaluator.h"
#include "driver/known_results.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// Predicted cost of a study's missing points, from the best source available.
struct StudyForecast {
  std::uint64_t reused = 0;
  std::uint64_t missing = 0;
  /// Mean time of a missing point (NaN if unknown) and the longest expected time of one.
  double mean_seconds = 0;
  double longest_seconds = 0;
  /// Source of the times, for display.
  std::string source;
  /// Mean size of a point in the journals, in bytes; 0 if unknown.
  double point_bytes = 0;
};

/// Predicts costs from the systems' own estimates, the times of known points, and trial evaluations of a few missing
/// points in a child process, which take at most `seconds` in all.
std::vector<StudyForecast> forecast(const sweep::Plan& plan, Evaluator& evaluator, const KnownResults& known,
                                    double seconds);

/// Predicted time of a run on `ranks` ranks, including writing the file; NaN if unknown.
double predicted_seconds(const std::vector<StudyForecast>& studies, int ranks);

}  // namespace pimsweep::driver
