#include "systems/system.h"

#include <algorithm>
#include <exception>

#include "base/quantity.h"

namespace pimsweep::systems {

namespace {

template <typename Items>
int index_of(const Items& items, std::string_view name) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].name == name) return static_cast<int>(i);
  }
  return -1;
}

}  // namespace

int Schema::axis_index(std::string_view axis) const { return index_of(axes, axis); }
int Schema::axis_index(AxisKind kind) const {
  const auto axis = std::ranges::find(axes, kind, &Axis::kind);
  return axis == axes.end() ? -1 : static_cast<int>(axis - axes.begin());
}
int Schema::metric_index(std::string_view metric) const { return index_of(metrics, metric); }
int Schema::table_index(std::string_view table) const { return index_of(tables, table); }

std::string_view name_of(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::infeasible:
      return "infeasible";
    case Status::failed:
      return "failed";
    case Status::crashed:
      return "crashed";
    case Status::not_run:
      return "not_run";
  }
  return "unknown";
}

void clear_cell(Value& cell, ValueType type) {
  if (type == ValueType::integer) {
    cell.emplace<std::int64_t>(0);
  } else if (type != ValueType::text) {
    cell.emplace<double>(no_number);
  } else if (auto* const text = std::get_if<std::string>(&cell)) {
    text->clear();
  } else {
    cell.emplace<std::string>();
  }
}

void Record::reset(const Schema& schema) {
  status = Status::not_run;
  message.clear();
  metrics.resize(schema.metrics.size());
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    // A count that is missing is NaN too.
    clear_cell(metrics[i], schema.metrics[i].type == ValueType::text ? ValueType::text : ValueType::real);
  }
  tables.resize(schema.tables.size());
  for (auto& rows : tables) rows.clear();
}

std::optional<std::string> System::misfit(const Point& point) {
  try {
    require_fit(point);
  } catch (const std::exception& error) {
    return error.what();
  }
  return std::nullopt;
}

void System::explain(const Point& point, Explanation& explanation) {
  Record record;
  record.reset(schema());
  evaluate(point, record);
  if (!record.message.empty()) explanation.section("status").lines.push_back({"message", record.message, ""});
  auto& lines = explanation.section("metrics").lines;
  for (std::size_t i = 0; i < record.metrics.size(); ++i) {
    const Metric& metric = schema().metrics[i];
    const Value& value = record.metrics[i];
    const auto* const number = std::get_if<double>(&value);
    lines.push_back(
        {metric.name, number == nullptr ? to_text(value) : format_quantity(*number, metric.unit), metric.doc});
  }
}

}  // namespace pimsweep::systems
