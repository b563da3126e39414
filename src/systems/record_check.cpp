#include "systems/record_check.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <span>
#include <string_view>

namespace pimsweep::systems {

namespace {

/// True if a cell may hold the value. `holds_integers`: the column stores integers as integers.
bool fits(const Metric& column, const Value& value, bool holds_integers, bool may_be_absent) {
  if (column.type == ValueType::text) return std::holds_alternative<std::string>(value);
  constexpr double max = std::numeric_limits<double>::max();
  if (const auto* real = std::get_if<double>(&value)) {
    const double min = column.range == Range::any ? -max : 0;
    if (holds_integers) return false;
    return (*real >= min && *real <= max) || (std::isnan(*real) && (may_be_absent || !column.absent.empty()));
  }
  const auto* integer = std::get_if<std::int64_t>(&value);
  return integer != nullptr && (*integer >= 0 || column.range == Range::any);
}

/// The defect of a value that does not fit.
std::string cell_fault(const Metric& column, const Value& value, bool holds_integers) {
  const bool number =
      std::holds_alternative<std::int64_t>(value) || (std::holds_alternative<double>(value) && !holds_integers);
  if (column.type == ValueType::text || !number) return fmt::format("is {}", name_of(type_of(value)));
  const double real = to_real(value);
  if (std::isinf(real)) return "is infinite (an overflow, a division by zero or a fault of the model)";
  if (std::isnan(real)) return "has no value (NaN), but an ok point needs one";
  const std::string unit = column.unit == "1" ? "" : " " + column.unit;
  return fmt::format("is {}{}, but cannot be negative (an overflow or a fault of the model)", to_text(value), unit);
}

std::string metric_fault(const Schema& schema, const Record& record) {
  const bool may_be_absent = record.status != Status::ok;
  for (std::size_t i = 0; i < record.metrics.size(); ++i) {
    const Metric& metric = schema.metrics[i];
    if (fits(metric, record.metrics[i], false, may_be_absent)) continue;
    return fmt::format("metric '{}' {}", metric.name, cell_fault(metric, record.metrics[i], false));
  }
  return {};
}

std::string table_fault(const Table& table, std::span<const Value> cells, bool may_be_absent) {
  if (cells.empty()) return {};
  const std::size_t columns = table.columns.size();
  if (cells.size() % columns != 0) return fmt::format("table '{}' ends in an unfinished row", table.name);
  for (std::size_t row = 0; row * columns < cells.size(); ++row) {
    for (std::size_t i = 0; i < columns; ++i) {
      const Metric& column = table.columns[i];
      const Value& cell = cells[row * columns + i];
      const bool holds_integers = column.type == ValueType::integer;
      if (fits(column, cell, holds_integers, may_be_absent)) continue;
      return fmt::format("column '{}' of table '{}' {} (row {})", column.name, table.name,
                         cell_fault(column, cell, holds_integers), row);
    }
  }
  return {};
}

}  // namespace

std::string record_fault(const Schema& schema, const Record& record) {
  if (record.metrics.size() != schema.metrics.size()) {
    return fmt::format("{} metrics instead of {}", record.metrics.size(), schema.metrics.size());
  }
  if (record.tables.size() != schema.tables.size()) {
    return fmt::format("{} tables instead of {}", record.tables.size(), schema.tables.size());
  }
  std::string fault = metric_fault(schema, record);
  for (std::size_t i = 0; i < record.tables.size() && fault.empty(); ++i) {
    fault = table_fault(schema.tables[i], record.tables[i], record.status != Status::ok);
  }
  return fault;
}

}  // namespace pimsweep::systems
