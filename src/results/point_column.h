#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "results/column_reader.h"
#include "sweep/condition.h"

namespace pimsweep::results {

/// Names for a message, without the constants of the hardware, of which there may be hundreds.
std::string list_of_columns(const std::vector<std::string>& names);

/// An expression over the columns of a table, such as "time * energy" (docs/experiment-files.md).
struct ColumnExpression {
  sweep::Condition condition;
  /// "s*J"; "1" for numbers without a dimension.
  std::string unit;
  /// The column of each operand.
  std::vector<std::string> operands;
};

/// Adds a column to the names of expressions.
template <typename Column>
void add_name(const Column& column, systems::Schema& names) {
  systems::Axis& axis = names.axes.emplace_back();
  axis.name = column.name();
  axis.type = column.type();
  axis.unit = column.unit();
}

/// Compiles an expression over the columns of the schema, given as axes. Empty if it has problems, which are reported.
std::optional<ColumnExpression> compile_expression(const std::string& text, const systems::Schema& columns,
                                                   ProblemList& problems);

/// A column of a results file, or the numbers of an expression over columns.
class PointColumn {
 public:
  explicit PointColumn(ColumnReader stored);
  /// `operands` are readers of the columns that the expression names. A row that lacks one of them, or whose value is
  /// not finite, is NaN.
  PointColumn(std::string name, ColumnExpression expression, std::vector<ColumnReader> operands);

  const std::string& name() const { return name_; }
  const std::string& unit() const { return unit_; }
  ValueType type() const { return condition_ ? ValueType::real : readers_.front().type(); }
  ColumnRole role() const { return condition_ ? ColumnRole::none : readers_.front().role(); }
  std::uint64_t rows() const { return readers_.front().rows(); }
  std::int64_t integer(std::uint64_t row) { return readers_.front().integer(row); }
  double real(std::uint64_t row);
  void get(std::uint64_t row, Value& value);

 private:
  std::string name_;
  std::string unit_;
  /// The column, or the operands of the expression, of which there is at least one.
  std::vector<ColumnReader> readers_;
  std::optional<sweep::Condition> condition_;
  Value cell_;
};

}  // namespace pimsweep::results
