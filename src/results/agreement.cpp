#include "results/agreement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>

#include "base/error.h"
#include "results/column_reader.h"
#include "results/data_frame.h"
#include "results/hdf5_read.h"
#include "results/pareto.h"
#include "results/results_reader.h"

namespace pimsweep::results {

namespace {

constexpr const char* fidelity_axis = "fidelity";

/// Rows of the designs that have a result at both fidelities.
struct Pairs {
  std::vector<std::size_t> finer;
  std::vector<std::size_t> coarser;
};

/// The fidelities of a study, the finest first; none without that axis.
std::vector<std::string> stored_fidelities(const std::string& results_file, const std::string& study) {
  const Hdf5Handle file = hdf5::open_results(results_file);
  const Hdf5Handle group = hdf5::open_group(file.get(), results_file, study);
  if (H5Lexists(group.get(), fidelity_axis, H5P_DEFAULT) <= 0) return {};
  ColumnReader axis(group.get(), results_file, fidelity_axis);
  if (axis.type() != ValueType::text) return {};
  std::vector<std::string> found;
  for (std::uint64_t row = 0; row < axis.rows(); ++row) {
    const std::string_view text = axis.text(row);
    if (std::ranges::find(found, text) == found.end()) found.emplace_back(text);
  }
  std::stable_partition(found.begin(), found.end(), [](const std::string& f) { return f == "cycle" || f == "event"; });
  return found;
}

/// The axes of a point other than the fidelity, as a key.
std::string design_of(const DataFrame& frame, std::size_t row) {
  std::string key;
  for (const auto& [name, column] : frame.columns) {
    if (column.role != ColumnRole::axis || name == fidelity_axis) continue;
    append_cell(column, row, key);
  }
  return key;
}

Pairs pair_up(const DataFrame& frame, const std::string& finer, const std::string& coarser) {
  const std::vector<std::string>& fidelity = frame.columns.at(fidelity_axis).texts;
  std::map<std::string, std::size_t> designs;
  for (std::size_t row = 0; row < frame.rows; ++row) {
    if (fidelity[row] == finer) designs.emplace(design_of(frame, row), row);
  }
  Pairs pairs;
  for (std::size_t row = 0; row < frame.rows; ++row) {
    if (fidelity[row] != coarser) continue;
    const auto found = designs.find(design_of(frame, row));
    if (found == designs.end()) continue;
    pairs.finer.push_back(found->second);
    pairs.coarser.push_back(row);
  }
  return pairs;
}

std::vector<double> take(const std::vector<double>& numbers, const std::vector<std::size_t>& rows) {
  std::vector<double> taken;
  taken.reserve(rows.size());
  for (const std::size_t row : rows) taken.push_back(numbers[row]);
  return taken;
}

/// Leaves only designs for which all columns have a finite number at both fidelities.
Pairs with_numbers(const Pairs& pairs, const std::vector<const DataColumn*>& columns) {
  Pairs left;
  for (std::size_t i = 0; i < pairs.finer.size(); ++i) {
    const bool missing = std::any_of(columns.begin(), columns.end(), [&](const DataColumn* column) {
      return !std::isfinite(column->numbers[pairs.finer[i]]) || !std::isfinite(column->numbers[pairs.coarser[i]]);
    });
    if (missing) continue;
    left.finer.push_back(pairs.finer[i]);
    left.coarser.push_back(pairs.coarser[i]);
  }
  return left;
}

std::vector<std::size_t> front_of(const std::vector<const DataColumn*>& columns, const std::vector<std::size_t>& rows) {
  std::vector<std::vector<double>> numbers;
  numbers.reserve(columns.size());
  for (const DataColumn* column : columns) numbers.push_back(take(column->numbers, rows));
  const std::vector<std::span<const double>> spans(numbers.begin(), numbers.end());
  return pareto_front(spans);
}

/// The pairs of designs that compete with each other.
std::vector<Pairs> groups_of(const DataFrame& frame, const Pairs& pairs, const std::vector<std::string>& axes) {
  std::map<std::string, Pairs> groups;
  for (std::size_t i = 0; i < pairs.finer.size(); ++i) {
    std::string key;
    for (const std::string& name : axes) {
      if (const auto axis = frame.columns.find(name); axis != frame.columns.end())
        append_cell(axis->second, pairs.finer[i], key);
    }
    Pairs& group = groups[key];
    group.finer.push_back(pairs.finer[i]);
    group.coarser.push_back(pairs.coarser[i]);
  }
  std::vector<Pairs> result;
  result.reserve(groups.size());
  for (auto& [key, group] : groups) result.push_back(std::move(group));
  return result;
}

void add_group(const std::vector<const DataColumn*>& columns, const Pairs& pairs, FrontAgreement& agreement) {
  const std::vector<std::size_t> finer = front_of(columns, pairs.finer);
  const std::vector<std::size_t> coarser = front_of(columns, pairs.coarser);
  std::vector<std::size_t> common;
  std::set_intersection(finer.begin(), finer.end(), coarser.begin(), coarser.end(), std::back_inserter(common));
  ++agreement.groups;
  agreement.designs += pairs.finer.size();
  agreement.finer_front += finer.size();
  agreement.coarser_front += coarser.size();
  agreement.common += common.size();
  const std::vector<double> truth = take(columns.front()->numbers, pairs.finer);
  const std::vector<double> estimate = take(columns.front()->numbers, pairs.coarser);
  const auto chosen = static_cast<std::size_t>(std::min_element(estimate.begin(), estimate.end()) - estimate.begin());
  const double regret = relative_deviation(truth[chosen], *std::min_element(truth.begin(), truth.end()));
  agreement.regret += regret;
  agreement.worst_regret = std::max(agreement.worst_regret, regret);
}

std::optional<FrontAgreement> compare_fronts(const DataFrame& frame, const Pairs& all, const FrontQuestion& question) {
  std::vector<const DataColumn*> columns;
  for (const std::string& name : question.objectives) {
    const auto found = frame.columns.find(name);
    if (found == frame.columns.end() || found->second.role != ColumnRole::metric || found->second.is_text())
      return std::nullopt;
    columns.push_back(&found->second);
  }
  const Pairs pairs = with_numbers(all, columns);
  if (columns.empty() || pairs.finer.empty()) return std::nullopt;
  FrontAgreement agreement;
  agreement.objectives = question.objectives;
  for (const Pairs& group : groups_of(frame, pairs, question.group_by)) add_group(columns, group, agreement);
  agreement.regret /= static_cast<double>(agreement.groups);
  return agreement;
}

MetricAgreement compare_metric(const DataColumn& column, const Pairs& all) {
  const Pairs pairs = with_numbers(all, {&column});
  const std::vector<double> finer = take(column.numbers, pairs.finer);
  const std::vector<double> coarser = take(column.numbers, pairs.coarser);
  std::vector<double> deviations;
  for (std::size_t i = 0; i < finer.size(); ++i) deviations.push_back(relative_deviation(coarser[i], finer[i]));
  MetricAgreement agreement;
  agreement.pairs = finer.size();
  agreement.deviation = summarize(deviations);
  if (!finer.empty()) agreement.worst_point = pairs.coarser[agreement.deviation.worst_index];
  agreement.rank_correlation = rank_correlation(finer, coarser);
  return agreement;
}

/// Reports names that no compared study has.
void check_names(const std::vector<std::string>& asked, std::string_view what, const std::set<std::string>& known,
                 ProblemList& problems) {
  const std::vector<std::string> names(known.begin(), known.end());
  for (const std::string& name : asked) {
    if (known.contains(name)) continue;
    problems.add({}, fmt::format("there is no {} '{}'{}; there are {}", what, name, suggestion(name, names),
                                 fmt::join(names, ", ")));
  }
}

}  // namespace

FidelityAgreement compare_fidelities(const std::string& results_file, const FrontQuestion& question) {
  FidelityAgreement agreement;
  std::set<std::string> metrics;
  std::set<std::string> axes;
  for (const std::string& study : study_ids(results_file)) {
    const std::vector<std::string> levels = stored_fidelities(results_file, study);
    if (levels.size() < 2) continue;
    const DataFrame frame = read_study(results_file, study);
    const systems::Schema schema = stored_schema(results_file, study);
    if (schema.metrics.empty()) continue;
    FrontQuestion asked = question;
    if (asked.objectives.empty()) {
      asked.objectives.push_back(schema.metrics.front().name);
      if (schema.metric_index("energy") >= 0) asked.objectives.emplace_back("energy");
    }
    if (asked.group_by.empty()) asked.group_by.emplace_back("model");
    for (const systems::Axis& axis : schema.axes) axes.insert(axis.name);
    for (std::size_t level = 1; level < levels.size(); ++level) {
      const auto sign = [&](auto& result) {
        result.study = study;
        result.finer = levels.front();
        result.coarser = levels[level];
      };
      const Pairs pairs = pair_up(frame, levels.front(), levels[level]);
      for (const systems::Metric& metric : schema.metrics) {
        if (metric.type == ValueType::text) continue;
        metrics.insert(metric.name);
        MetricAgreement result = compare_metric(frame.columns.at(metric.name), pairs);
        result.metric = metric.name;
        sign(result);
        if (result.pairs > 0) agreement.metrics.push_back(std::move(result));
      }
      if (std::optional<FrontAgreement> front = compare_fronts(frame, pairs, asked)) {
        sign(*front);
        agreement.fronts.push_back(std::move(*front));
      }
    }
  }
  if (metrics.empty()) return agreement;
  ProblemList problems;
  check_names(question.objectives, "metric", metrics, problems);
  check_names(question.group_by, "axis", axes, problems);
  problems.throw_if_any();
  return agreement;
}

}  // namespace pimsweep::results
