#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pimsweep::results {

/// A metric of a study: the best (smallest) value, its point, and how far the values spread.
struct Overview {
  std::string study;
  std::string metric;
  std::string unit;
  /// Points that have a number in the metric.
  std::uint64_t points = 0;
  /// The first point with the smallest value.
  std::uint64_t best_point = 0;
  double best = 0;
  double median = 0;
  double worst = 0;
};

/// Names of the metrics by which the system of a study compares designs (systems::Schema), the most important one
/// first. Empty for a file of an earlier version.
std::vector<std::string> main_metrics(const std::string& results_file, const std::string& study);

/// The overview of a study in its first main metric of which a point has a number; `time` comes second. Nothing where
/// there is none. Points on sampled machines do not count. Memory use does not depend on the number of points.
std::optional<Overview> overview(const std::string& results_file, const std::string& study);

/// The message of the first point of a study if none is ok.
std::optional<std::string> message_without_ok(const std::string& results_file, const std::string& study);

/// "best time_per_sample 1.234 ms at policy allspark, batch 8 (point 12); up to 45.67 ms, median 3.4 ms". `place` says
/// where the best point is, "policy allspark, batch 8", and may be empty.
std::string overview_text(const Overview& overview, const std::string& place);

}  // namespace pimsweep::results
