#include "driver/plan_view.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.h"
#include "results/results_file.h"

namespace pimsweep::driver {

std::uint64_t StatusCounts::total() const { return std::accumulate(count.begin(), count.end(), std::uint64_t{0}); }

std::vector<results::ColumnInfo> input_columns(const sweep::Study& study) {
  std::vector<results::ColumnInfo> columns;
  const systems::Schema& schema = study.schema();
  systems::Point first(schema.axes.size());
  if (study.size() > 0) study.point(0, first);
  for (std::size_t axis = 0; axis < schema.axes.size(); ++axis) {
    const systems::Axis& described = schema.axes[axis];
    systems::ValueOrigin origin = study.origin_of(axis);
    results::ColumnInfo& column = columns.emplace_back(results::ColumnInfo{
        described.name, described.unit, described.doc, origin.text, results::ColumnRole::axis, described.type});
    column.origin = std::move(origin);
    if (study.size() > 0 && !study.varies(axis)) column.constant = first[axis];
  }
  if (study.search() != nullptr) {
    const std::vector<results::ColumnInfo> of_search = search_columns(*study.search());
    columns.insert(columns.end(), of_search.begin(), of_search.end());
  }
  for (const sweep::CarriedColumn& carried : study.carried()) {
    const bool label = carried.role == sweep::CarriedColumn::Role::label;
    const int metric = schema.metric_index(carried.name);
    columns.push_back({(label ? "label_" : "reference_") + carried.name,
                       !label && metric >= 0 ? schema.metrics[static_cast<std::size_t>(metric)].unit : "1",
                       (label ? "label " : "reference value of ") + carried.name, "point table",
                       label ? results::ColumnRole::label : results::ColumnRole::reference, carried.type});
  }
  return columns;
}

namespace {

systems::Schema with_derived_metrics(const sweep::Study& study) {
  systems::Schema schema = study.schema();
  for (const sweep::DerivedMetric& derived : study.derived()) {
    schema.metrics.push_back(derived.metric);
    schema.main_metrics.push_back(derived.metric.name);
  }
  return schema;
}

}  // namespace

void check_names(const sweep::Plan& plan) {
  ProblemList problems;
  for (const sweep::Study& study : plan.studies) {
    const SourcePosition file{plan.path, 0, 0};
    // Exported tables are files with these names, of at most 255 bytes, and HDF5 has limits, too.
    constexpr std::size_t max_length = 200;
    const auto check_length = [&](const std::string& name, const char* what, const SourcePosition& where) {
      if (name.size() <= max_length) return;
      problems.add(where, fmt::format("{} '{}...' has {} letters: results files hold names of at most {}", what,
                                      name.substr(0, 20), name.size(), max_length));
    };
    check_length(study.id(), "study", file);
    if (results::is_reserved_in_results(study.id())) {
      problems.add(file, fmt::format("a study cannot be named '{}': results files reserve that name", study.id()));
    }
    std::map<std::string, std::string> owner;
    for (const char* own : {"point", "status", "message", "identity_high", "identity_low", "long_texts"})
      owner[own] = "the results file";
    const auto claim = [&](const std::string& name, const std::string& what, const SourcePosition& where) {
      check_length(name, "column", where);
      const auto [taken, fresh] = owner.emplace(name, what);
      if (!fresh) {
        problems.add(where, fmt::format("study '{}': '{}' would name {} and also {} in the results file", study.id(),
                                        name, taken->second, what));
      }
    };
    for (const results::ColumnInfo& input : input_columns(study))
      claim(input.name, fmt::format("a column ({})", word_of(results::column_role_words, input.role)), file);
    for (const systems::Metric& metric : study.schema().metrics) claim(metric.name, "a metric", file);
    for (const systems::Table& table : study.schema().tables) claim(table.name, "a table", file);
    if (study.search() != nullptr) claim(generation_table().name, "the table of the search", file);
    for (const sweep::DerivedMetric& derived : study.derived())
      claim(derived.metric.name, "a derived metric", derived.where);
  }
  problems.throw_if_any();
}

PlanStudyView::PlanStudyView(const sweep::Plan& plan, std::size_t study, Evaluator& evaluator, journal::Stream& results,
                             const SearchLog* log, MergeNotes& notes, Fault& fault)
    : study_(plan.studies[study]),
      schema_(with_derived_metrics(study_)),
      derived_(study_.derived(), study_.schema()),
      offset_(plan.offset(study)),
      evaluator_(evaluator),
      results_(results),
      log_(log),
      inputs_(input_columns(study_)),
      point_(study_.schema().axes.size()),
      notes_(notes),
      fault_(fault) {
  if (log_ != nullptr) tables_.push_back(filled_generations(*log_));
}

std::vector<std::pair<std::string, std::string>> PlanStudyView::attributes() const {
  if (log_ == nullptr) return {};
  return search_attributes(*study_.search());
}

void PlanStudyView::row(std::uint64_t index, Row& row) {
  fault_.before_row();
  study_.point(index, point_);
  row.inputs.clear();
  for (std::size_t axis = 0; axis < point_.size(); ++axis) row.inputs.push_back(&point_[axis]);
  if (log_ != nullptr) search_cells_.append(log_->rows[index], row.inputs);
  for (std::size_t column = 0; column < study_.carried().size(); ++column) {
    row.inputs.push_back(&study_.carried_value(column, index));
  }
  row.identity = evaluator_.identity(offset_ + index, point_);
  if (results_.read(offset_ + index, row.identity, study_.schema(), entry_)) {
    std::swap(row.record, entry_.record);
    row.seconds = entry_.seconds;
  } else {
    row.record.reset(study_.schema());
    row.seconds = std::numeric_limits<double>::quiet_NaN();
  }
  derived_.append(point_, row.record);
  ++notes_.counts[row.record.status];
  if ((row.record.status == systems::Status::failed || row.record.status == systems::Status::crashed) &&
      notes_.failures.size() < max_printed_failures) {
    notes_.failures.push_back(fmt::format("{}[{}]: {}", id(), index, row.record.message));
  }
}

}  // namespace pimsweep::driver
