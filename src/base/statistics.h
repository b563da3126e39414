#pragma once

#include <span>
#include <vector>

namespace pimsweep {

/// Quantile of sorted numbers with linear interpolation. There must be at least one number.
double quantile(std::span<const double> sorted, double share);

/// (ours - reference) / |reference|; for a reference of 0, either 0 or infinite.
double relative_deviation(double ours, double reference);

/// Kendall's tau-b of pairs: concordant less discordant pairs of pairs, over all of them, corrected for ties. NaN where
/// all numbers of a side are equal. Takes n log n.
double kendall_tau(std::span<const double> a, std::span<const double> b);

/// Statistics of signed relative deviations.
struct DeviationSummary {
  double mean = 0;
  /// Median and 95th percentile of the absolute deviations.
  double median = 0;
  double percentile95 = 0;
  /// The deviation of largest absolute value, with its sign, and its index.
  double worst = 0;
  std::size_t worst_index = 0;
};
/// All zero for an empty list.
DeviationSummary summarize(std::span<const double> deviations);

}  // namespace pimsweep
