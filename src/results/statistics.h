#pragma once

#include <span>
#include <vector>

namespace pimsweep::results {

/// The value below which `share` of the sorted numbers lie, linear between neighbours. There must be one at least.
double quantile(std::span<const double> sorted, double share);

/// (ours - reference) / |reference|; a reference of 0 is met exactly or missed by everything.
double relative_deviation(double ours, double reference);

/// Spearman's rank correlation of pairs; equal numbers share the mean of their ranks. NaN where all numbers of a side
/// are equal.
double rank_correlation(std::span<const double> a, std::span<const double> b);

/// Of signed relative deviations.
struct DeviationSummary {
  double mean = 0;
  /// Of the absolute ones.
  double median = 0;
  double percentile95 = 0;
  /// Signed, and its place.
  double worst = 0;
  std::size_t worst_index = 0;
};
/// All zero if there are none.
DeviationSummary summarise(std::span<const double> deviations);

}  // namespace pimsweep::results
