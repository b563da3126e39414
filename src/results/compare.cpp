#include "results/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "results/frame.h"
#include "results/results_reader.h"

namespace pimsweep {

namespace {

constexpr std::string_view prefix = "reference_";

/// The value below which `share` of the sorted numbers lie, linear between neighbours.
double quantile(const std::vector<double>& sorted, double share) {
  const double position = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::string labels_of(const Frame& frame, std::size_t row) {
  std::string text;
  for (const auto& [name, column] : frame.columns) {
    if (column.role != "label") continue;
    const std::string value = column.is_text() ? column.texts[row] : fmt::format("{}", column.numbers[row]);
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name.substr(6), value);
  }
  return text;
}

/// (ours - reference) / |reference|; a reference of 0 is met exactly or missed by everything.
double relative_deviation(double ours, double reference) {
  if (ours == reference) return 0;
  return (ours - reference) / std::abs(reference);
}

Comparison compare_column(const Frame& frame, const std::string& study, const std::string& metric) {
  const std::vector<double>& ours = frame.columns.at(metric).numbers;
  const std::vector<double>& reference = frame.columns.at(std::string(prefix) + metric).numbers;
  Comparison comparison;
  comparison.study = study;
  comparison.metric = metric;
  std::vector<double> absolute;
  for (std::size_t row = 0; row < frame.rows; ++row) {
    if (std::isnan(ours[row]) || std::isnan(reference[row])) continue;
    const double deviation = relative_deviation(ours[row], reference[row]);
    comparison.mean += deviation;
    if (absolute.empty() || std::abs(deviation) > std::abs(comparison.worst)) {
      comparison.worst = deviation;
      comparison.worst_point = row;
    }
    absolute.push_back(std::abs(deviation));
  }
  comparison.count = absolute.size();
  if (absolute.empty()) return comparison;
  std::sort(absolute.begin(), absolute.end());
  comparison.mean /= static_cast<double>(absolute.size());
  comparison.median = quantile(absolute, 0.5);
  comparison.percentile95 = quantile(absolute, 0.95);
  comparison.worst_labels = labels_of(frame, comparison.worst_point);
  return comparison;
}

}  // namespace

std::vector<Comparison> compare_with_references(const std::string& results_file) {
  std::vector<Comparison> comparisons;
  ProblemList problems;
  for (const std::string& study : study_ids(results_file)) {
    const Frame frame = read_study(results_file, study);
    std::vector<std::string> metrics;
    for (const auto& [name, column] : frame.columns) {
      if (column.role == "metric" && !column.is_text()) metrics.push_back(name);
    }
    for (const auto& [name, column] : frame.columns) {
      if (column.role != "reference") continue;
      const std::string metric = name.substr(prefix.size());
      if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end()) {
        problems.add({results_file, 0, 0},
                     fmt::format("study '{}' has {} but no metric '{}'{}; metrics: {}", study, name, metric,
                                 suggestion(metric, metrics), fmt::join(metrics, ", ")));
        continue;
      }
      comparisons.push_back(compare_column(frame, study, metric));
    }
  }
  problems.throw_if_any();
  if (comparisons.empty()) {
    throw InputError(fmt::format(
        "'{}' has no reference columns: a point table carries them along with `reference = [...]`", results_file));
  }
  return comparisons;
}

}  // namespace pimsweep
