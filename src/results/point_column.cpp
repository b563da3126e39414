#include "results/point_column.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "sweep/derived_metrics.h"
#include "sweep/expression_unit.h"

namespace pimsweep::results {

std::string list_of_columns(const std::vector<std::string>& names) {
  std::string list;
  std::size_t constants = 0;
  for (const std::string& name : names) {
    if (name.starts_with("hardware."))
      ++constants;
    else
      list += (list.empty() ? "" : ", ") + name;
  }
  if (constants > 0) list += fmt::format(", and {} hardware constants", constants);
  return list;
}

std::optional<ColumnExpression> compile_expression(const std::string& text, const systems::Schema& columns,
                                                   ProblemList& problems) {
  const PlacedText placed{text, {fmt::format("'{}'", text)}, {}};
  std::optional<sweep::Condition> condition = sweep::Condition::compile(placed, columns, problems);
  if (!condition) return std::nullopt;
  std::optional<std::string> unit = sweep::unit_of_expression(placed, columns, problems);
  if (!unit) return std::nullopt;
  if (condition->axes().empty()) {
    problems.add(placed.where, "the expression names no column");
    return std::nullopt;
  }
  ColumnExpression expression{std::move(*condition), std::move(*unit), {}};
  for (const std::size_t operand : expression.condition.axes())
    expression.operands.push_back(columns.axes[operand].name);
  return expression;
}

PointColumn::PointColumn(ColumnReader stored) : name_(stored.name()), unit_(stored.unit()) {
  readers_.push_back(std::move(stored));
}

PointColumn::PointColumn(std::string name, ColumnExpression expression, std::vector<ColumnReader> operands)
    : name_(std::move(name)),
      unit_(std::move(expression.unit)),
      readers_(std::move(operands)),
      condition_(std::move(expression.condition)) {}

double PointColumn::real(std::uint64_t row) {
  if (!condition_) return readers_.front().real(row);
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    readers_[i].get(row, cell_);
    const double number = condition_->number(cell_);
    if (std::isnan(number)) return std::numeric_limits<double>::quiet_NaN();
    condition_->set(i, number);
  }
  return sweep::finite_value(*condition_);
}

void PointColumn::get(std::uint64_t row, Value& value) {
  if (condition_)
    value = real(row);
  else
    readers_.front().get(row, value);
}

}  // namespace pimsweep::results
