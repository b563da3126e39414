#include "calibrate/error_factor.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/statistics.h"

namespace pimsweep::calibrate {

Spread spread_of(const std::vector<Residual>& residuals) {
  struct Class {
    double sum = 0;
    double count = 0;
    double mean() const { return sum / count; }
  };
  std::map<std::size_t, Class> classes;
  for (const Residual& one : residuals) {
    classes[one.kind].sum += one.logarithm;
    classes[one.kind].count += 1;
  }
  double common = 0;
  double rest = 0;
  for (const Residual& one : residuals) {
    const double mean = classes[one.kind].mean();
    common += mean * mean;
    rest += (one.logarithm - mean) * (one.logarithm - mean);
  }
  const double count = std::max(1.0, static_cast<double>(residuals.size()));
  return {std::sqrt(common / count), std::sqrt(rest / count)};
}

std::optional<ErrorFactor> error_factor(std::string name, const std::vector<Residual>& residuals) {
  constexpr std::size_t min_values = 20;
  if (residuals.size() < min_values) return std::nullopt;
  std::vector<double> distances;
  distances.reserve(residuals.size());
  for (const Residual& one : residuals) distances.push_back(-one.logarithm);
  std::ranges::sort(distances);
  const double median = quantile(distances, 0.5);
  for (double& one : distances) one = std::abs(one - median);
  std::ranges::sort(distances);
  const double count = static_cast<double>(distances.size());
  constexpr double inside = 0.9;
  // Position of rank 0.9 (n + 1), counted from 0, as a share of the way from the first value to the last.
  const double distance = quantile(distances, std::min(1.0, (inside * (count + 1) - 1) / (count - 1)));
  return ErrorFactor{std::move(name), residuals.size(), spread_of(residuals),
                     std::min(1.0, std::exp(median - distance)), std::max(1.0, std::exp(median + distance))};
}

}  // namespace pimsweep::calibrate
