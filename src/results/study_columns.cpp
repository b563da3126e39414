#include "results/study_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/quantity.h"
#include "results/columns.h"
#include "results/hdf5_read.h"
#include "results/open_results.h"
#include "results/results_reader.h"
#include "sweep/expression_tokens.h"

namespace pimsweep::results {

namespace {

void check(const std::string& name, const std::vector<std::string>& known, std::string_view what,
           const StudyColumns& study, ProblemList& problems) {
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  problems.add({}, fmt::format("study '{}' has no {} '{}'{}; it has {}", study.study(), what, name,
                               suggestion(name, known), list_of_columns(known)));
}

/// True if any row differs from the first. Constant numbers are not stored as chunks (docs/results-format.md).
bool any_differs(ColumnReader& column) {
  if (!column.is_stored()) return false;
  const bool is_text = column.type() == ValueType::text;
  Value first;
  Value other;
  column.get(0, first);
  for (std::uint64_t row = 1; row < column.rows(); ++row) {
    if (is_text) {
      if (column.text(row) != std::get<std::string>(first)) return true;
    } else {
      column.get(row, other);
      if (other != first) return true;
    }
  }
  return false;
}

}  // namespace

StudyColumns::StudyColumns(const std::string& results_file, const std::string& study)
    : path_(results_file),
      study_(study),
      file_(open_results(path_)),
      group_(hdf5::open_group(file_.get(), path_, study)),
      status_(group_.get(), path_, "status") {
  for (const std::string& name : hdf5::members(group_.get(), H5O_TYPE_DATASET)) {
    ColumnReader reader = column(name);
    const ColumnRole role = reader.role();
    if (role == ColumnRole::metric && reader.type() == ValueType::real) metrics_.push_back(name);
    if (role != ColumnRole::axis) continue;
    axes_.push_back(name);
    if (name == draw_column && reader.type() == ValueType::integer && is_varying(name)) draw_.emplace(column(name));
  }
}

bool StudyColumns::is_varying(const std::string& axis) const {
  ColumnReader reader = column(axis);
  return !reader.follows_hardware() && !reader.is_drawn() && any_differs(reader);
}

std::vector<std::string> StudyColumns::varying_axes() const {
  std::vector<std::string> varying;
  std::ranges::copy_if(axes_, std::back_inserter(varying), [&](const std::string& axis) { return is_varying(axis); });
  return varying;
}

std::string StudyColumns::system() const { return hdf5::read_text_attribute(group_.get(), "system"); }

void StudyColumns::check_metric(const std::string& name, ProblemList& problems) const {
  if (sweep::is_name(name))
    check(name, metrics_, "metric", *this, problems);
  else
    compile_expression(name, names(), problems);
}

void StudyColumns::check_axis(const std::string& name, ProblemList& problems) const {
  check(name, axes_, "axis", *this, problems);
}

ColumnReader StudyColumns::column(const std::string& name) const { return {group_.get(), path_, name}; }

systems::Schema StudyColumns::names() const {
  systems::Schema schema;
  schema.name = system();
  for (const std::string& name : hdf5::members(group_.get(), H5O_TYPE_DATASET)) {
    const ColumnReader reader = column(name);
    if (reader.role() == ColumnRole::identity) continue;
    add_name(reader, schema);
  }
  return schema;
}

PointColumn StudyColumns::column_or_expression(const std::string& name) const {
  if (sweep::is_name(name)) return PointColumn(column(name));
  ProblemList problems;
  std::optional<ColumnExpression> expression = compile_expression(name, names(), problems);
  problems.throw_if_any();
  std::vector<ColumnReader> operands;
  operands.reserve(expression->operands.size());
  for (const std::string& operand : expression->operands) operands.push_back(column(operand));
  return {name, std::move(*expression), std::move(operands)};
}

}  // namespace pimsweep::results
