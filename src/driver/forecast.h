#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/evaluator.h"
#include "driver/known_results.h"
#include "sweep/plan.h"

namespace pimsweep::driver {

/// What a study's missing points will cost, from the best source there is.
struct StudyForecast {
  std::uint64_t reused = 0;
  std::uint64_t missing = 0;
  /// Mean time of a missing point, and the longest expected. NaN if nothing is known.
  double mean_seconds = 0;
  double longest_seconds = 0;
  /// Where the times come from.
  std::string source;
  /// Mean bytes of a point in the journals; 0 if nothing is known.
  double point_bytes = 0;
};

/// Asks the studies' systems what their points will cost, looks at what known points took, and evaluates a few of the
/// missing ones in a process of its own, for at most `seconds` in all.
std::vector<StudyForecast> forecast(const sweep::Plan& plan, Evaluator& evaluator, const KnownResults& known,
                                    double seconds);

/// The time that a run of so many ranks will take, with writing the file; NaN if nothing is known.
double predicted_seconds(const std::vector<StudyForecast>& studies, int ranks);

}  // namespace pimsweep::driver
