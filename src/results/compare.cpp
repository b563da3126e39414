#include "results/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "results/data_frame.h"
#include "results/results_reader.h"
#include "results/statistics.h"

namespace pimsweep::results {

namespace {

constexpr std::string_view reference_prefix = "reference_";

std::string labels_of(const DataFrame& frame, std::size_t row) {
  std::string text;
  for (const auto& [name, column] : frame.columns) {
    if (column.role != ColumnRole::label) continue;
    const std::string value = column.is_text() ? column.texts[row] : fmt::format("{}", column.numbers[row]);
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name.substr(6), value);
  }
  return text;
}

Comparison compare_column(const DataFrame& frame, const std::string& study, const std::string& metric) {
  const std::vector<double>& ours = frame.columns.at(metric).numbers;
  const std::vector<double>& reference = frame.columns.at(std::string(reference_prefix) + metric).numbers;
  Comparison comparison;
  comparison.study = study;
  comparison.metric = metric;
  std::vector<double> deviations;
  std::vector<std::size_t> points;
  for (std::size_t row = 0; row < frame.rows; ++row) {
    // Deviations from infinity are no numbers.
    if (!std::isfinite(ours[row]) || !std::isfinite(reference[row])) continue;
    deviations.push_back(relative_deviation(ours[row], reference[row]));
    points.push_back(row);
  }
  comparison.count = deviations.size();
  if (deviations.empty()) return comparison;
  comparison.deviation = summarize(deviations);
  comparison.worst_point = points[comparison.deviation.worst_index];
  comparison.worst_labels = labels_of(frame, comparison.worst_point);
  return comparison;
}

}  // namespace

std::vector<Comparison> compare_with_references(const std::string& results_file) {
  std::vector<Comparison> comparisons;
  ProblemList problems;
  for (const std::string& study : study_ids(results_file)) {
    const DataFrame frame = read_study(results_file, study);
    std::vector<std::string> metrics;
    for (const auto& [name, column] : frame.columns) {
      if (column.role == ColumnRole::metric && !column.is_text()) metrics.push_back(name);
    }
    for (const auto& [name, column] : frame.columns) {
      if (column.role != ColumnRole::reference) continue;
      const std::string metric = name.substr(reference_prefix.size());
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

}  // namespace pimsweep::results
