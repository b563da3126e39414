#include "systems/record_check.h"

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <string_view>

namespace pimsweep::systems {

namespace {

std::string type_fault(const Value& value) { return fmt::format("is {}", name_of(type_of(value))); }

std::string with_unit(const Value& value, const std::string& unit) {
  return unit == "1" ? to_text(value) : fmt::format("{} {}", to_text(value), unit);
}

std::string sign_fault(const Metric& column, const Value& value) {
  return fmt::format("is {}, but cannot be negative (an overflow or a fault of the model)",
                     with_unit(value, column.unit));
}

std::string real_fault(const Metric& column, double number, bool may_be_absent) {
  if (std::isfinite(number)) {
    return number < 0 && column.range == Range::non_negative ? sign_fault(column, number) : std::string();
  }
  if (std::isinf(number)) return "is infinite (an overflow, a division by zero or a fault of the model)";
  if (may_be_absent || !column.absent.empty()) return {};
  return "has no value (NaN), though a result needs one";
}

/// What is wrong with one cell; `holds_integers` if the column stores integers as such.
std::string cell_fault(const Metric& column, const Value& value, bool holds_integers, bool may_be_absent) {
  if (column.type == ValueType::text) return std::holds_alternative<std::string>(value) ? "" : type_fault(value);
  if (const auto* real = std::get_if<double>(&value)) {
    return holds_integers ? type_fault(value) : real_fault(column, *real, may_be_absent);
  }
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer == nullptr) return type_fault(value);
  return *integer < 0 && column.range == Range::non_negative ? sign_fault(column, value) : std::string();
}

std::string metric_fault(const Schema& schema, const Record& record) {
  const bool may_be_absent = record.status != Status::ok;
  for (std::size_t i = 0; i < record.metrics.size(); ++i) {
    const Metric& metric = schema.metrics[i];
    if (const std::string fault = cell_fault(metric, record.metrics[i], false, may_be_absent); !fault.empty()) {
      return fmt::format("metric '{}' {}", metric.name, fault);
    }
  }
  return {};
}

std::string table_fault(const Table& table, std::span<const Value> cells, bool may_be_absent) {
  const std::size_t columns = table.columns.size();
  if (cells.size() % columns != 0) return fmt::format("table '{}' ends in an unfinished row", table.name);
  for (std::size_t row = 0; row * columns < cells.size(); ++row) {
    for (std::size_t i = 0; i < columns; ++i) {
      const Metric& column = table.columns[i];
      const bool holds_integers = column.type == ValueType::integer;
      const std::string fault = cell_fault(column, cells[row * columns + i], holds_integers, may_be_absent);
      if (fault.empty()) continue;
      return fmt::format("column '{}' of table '{}' {} (row {})", column.name, table.name, fault, row);
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
