#include "results/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/statistics.h"
#include "results/column_reader.h"
#include "results/hdf5_read.h"
#include "results/open_results.h"
#include "results/point_cells.h"

namespace pimsweep::results {

namespace {

constexpr std::string_view reference_prefix = "reference_";

/// The columns of one study that a comparison reads, by name.
class ComparedStudy {
 public:
  ComparedStudy(hid_t file, const std::string& path, const std::string& id)
      : path_(path), id_(id), group_(hdf5::open_group(file, path, id)) {
    for (const std::string& name : hdf5::members(group_.get(), H5O_TYPE_DATASET)) {
      const ColumnReader reader = column(name);
      const ColumnRole role = reader.role();
      if (role == ColumnRole::metric && reader.type() == ValueType::real) metrics_.insert(name);
      if (role == ColumnRole::reference) references_.insert(name);
      if (role == ColumnRole::label) labels_.insert(name);
    }
  }

  /// Compares every reference_X with the metric X. A reference without a metric is a problem.
  void compare(std::vector<Comparison>& comparisons, ProblemList& problems) const {
    for (const std::string& name : references_) {
      const std::string metric = name.substr(reference_prefix.size());
      if (metrics_.contains(metric)) {
        comparisons.push_back(compare(metric, name));
        continue;
      }
      const std::vector<std::string> known(metrics_.begin(), metrics_.end());
      problems.add({path_, 0, 0}, fmt::format("study '{}' has {} but no metric '{}'{}; metrics: {}", id_, name, metric,
                                              suggestion(metric, known), fmt::join(known, ", ")));
    }
  }

 private:
  ColumnReader column(const std::string& name) const { return {group_.get(), path_, name}; }

  Comparison compare(const std::string& metric, const std::string& reference) const {
    ColumnReader ours = column(metric);
    ColumnReader theirs = column(reference);
    Comparison comparison;
    comparison.study = id_;
    comparison.metric = metric;
    std::vector<double> deviations;
    std::vector<std::uint64_t> points;
    for (std::uint64_t row = 0; row < ours.rows(); ++row) {
      // Deviations from infinity are not numbers.
      if (!std::isfinite(ours.real(row)) || !std::isfinite(theirs.real(row))) continue;
      deviations.push_back(relative_deviation(ours.real(row), theirs.real(row)));
      points.push_back(row);
    }
    comparison.count = deviations.size();
    if (deviations.empty()) return comparison;
    comparison.deviation = summarize(deviations);
    comparison.worst_point = points[comparison.deviation.worst_index];
    comparison.worst_labels = labels_of(comparison.worst_point);
    return comparison;
  }

  std::string labels_of(std::uint64_t row) const {
    std::string text;
    Value value;
    for (const std::string& name : labels_) {
      column(name).get(row, value);
      text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name.substr(6), to_text(value));
    }
    return text;
  }

  const std::string& path_;
  const std::string& id_;
  Hdf5Handle group_;
  std::set<std::string> metrics_;
  std::set<std::string> references_;
  std::set<std::string> labels_;
};

}  // namespace

std::vector<Comparison> compare_with_references(const std::string& results_file,
                                                const std::vector<std::string>& studies) {
  std::vector<Comparison> comparisons;
  ProblemList problems;
  const Hdf5Handle file = open_results(results_file);
  for (const std::string& study : chosen_studies(results_file, studies))
    ComparedStudy(file.get(), results_file, study).compare(comparisons, problems);
  problems.throw_if_any();
  if (comparisons.empty()) {
    throw InputError(fmt::format(
        "'{}' has no reference columns: a point table carries them along with `reference = [...]`", results_file));
  }
  return comparisons;
}

}  // namespace pimsweep::results
