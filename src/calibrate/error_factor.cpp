#include "calibrate/error_factor.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/statistics.h"
#include "systems/devices/error_axes.h"

namespace pimsweep::calibrate {

namespace {

/// Standard deviations of a normal distribution from its middle to its 95 % quantile.
constexpr double normal_95 = 1.6449;

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return quantile(values, 0.5);
}

/// Distance from the middle within which 90 % of further values lie.
double half_width(std::vector<double> values, double middle) {
  for (double& one : values) one = std::abs(one - middle);
  std::ranges::sort(values);
  const double count = static_cast<double>(values.size());
  constexpr double inside = 0.9;
  // Position of rank 0.9 (n + 1), counted from 0, as a share of the way from the first value to the last.
  return quantile(values, std::min(1.0, (inside * (count + 1) - 1) / (count - 1)));
}

/// Halves of intervals of 90 %, on a logarithmic scale.
struct HalfWidths {
  double common = 0;
  double by_shape = 0;
};

HalfWidths half_widths(const std::vector<Residual>& residuals, double middle) {
  std::map<std::size_t, std::vector<double>> classes;
  for (const Residual& one : residuals) classes[one.kind].push_back(-one.logarithm);
  const double count = static_cast<double>(residuals.size());
  double between = 0;
  std::vector<double> rest;
  for (const auto& [kind, values] : classes) {
    const double own = median(values);
    between += static_cast<double>(values.size()) * (own - middle) * (own - middle) / count;
    for (const double value : values) rest.push_back(value - own);
  }
  // Medians of small classes follow their values.
  const double free = std::max(1.0, count - static_cast<double>(classes.size()));
  const double by_shape = std::sqrt(count / free) * half_width(rest, 0);
  return {std::sqrt(normal_95 * normal_95 * between + by_shape * by_shape / count), by_shape};
}

}  // namespace

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

std::vector<ErrorFactor> error_factors(const std::string& name, bool has_shapes,
                                       const std::vector<Residual>& residuals) {
  constexpr std::size_t min_values = 20;
  if (residuals.size() < min_values) return {};
  std::vector<double> all;
  all.reserve(residuals.size());
  for (const Residual& one : residuals) all.push_back(-one.logarithm);
  const double middle = median(all);
  using Part = ErrorFactor::Part;
  const auto factor = [&](const std::string& constant, Part part, double center, double half) {
    // Four digits show the least width.
    constexpr double min_half = 1e-3;
    half = std::max(half, min_half);
    return ErrorFactor{constant, part, residuals.size(), std::min(1.0, std::exp(center - half)),
                       std::max(1.0, std::exp(center + half))};
  };
  if (!has_shapes) return {factor(name, Part::all, middle, half_width(all, middle))};
  const HalfWidths half = half_widths(residuals, middle);
  return {factor(name, Part::common, middle, half.common),
          factor(name + std::string(systems::devices::by_shape_suffix), Part::by_shape, 0, half.by_shape)};
}

}  // namespace pimsweep::calibrate
