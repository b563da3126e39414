#include "results/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pimsweep::results {

namespace {

std::vector<double> ranks(std::span<const double> numbers) {
  std::vector<std::size_t> order(numbers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
  std::vector<double> ranks(numbers.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    while (end < order.size() && numbers[order[end]] == numbers[order[begin]]) ++end;
    const double shared = 0.5 * static_cast<double>(begin + end - 1);
    for (; begin < end; ++begin) ranks[order[begin]] = shared;
  }
  return ranks;
}

}  // namespace

double quantile(std::span<const double> sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double relative_deviation(double ours, double reference) {
  if (ours == reference) return 0;
  return (ours - reference) / std::abs(reference);
}

double rank_correlation(std::span<const double> a, std::span<const double> b) {
  const std::vector<double> x = ranks(a);
  const std::vector<double> y = ranks(b);
  // Ranks, shared or not, have this mean.
  const double mean = 0.5 * (static_cast<double>(x.size()) - 1);
  double xy = 0;
  double xx = 0;
  double yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  return xy / std::sqrt(xx * yy);
}

DeviationSummary summarize(std::span<const double> deviations) {
  DeviationSummary summary;
  if (deviations.empty()) return summary;
  std::vector<double> absolute;
  for (std::size_t i = 0; i < deviations.size(); ++i) {
    summary.mean += deviations[i] / static_cast<double>(deviations.size());
    absolute.push_back(std::abs(deviations[i]));
    if (i == 0 || absolute[i] > std::abs(summary.worst)) {
      summary.worst = deviations[i];
      summary.worst_index = i;
    }
  }
  std::sort(absolute.begin(), absolute.end());
  summary.median = quantile(absolute, 0.5);
  summary.percentile95 = quantile(absolute, 0.95);
  return summary;
}

}  // namespace pimsweep::results
