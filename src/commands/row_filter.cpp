#include "commands/row_filter.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace pimsweep::commands {

namespace {

/// The columns of a table as if they were axes: what conditions are compiled against.
systems::Schema schema_of(const results::StoredTable& table) {
  systems::Schema schema;
  schema.name = table.system();
  for (std::size_t i = 0; i < table.names().size(); ++i) {
    systems::Axis& axis = schema.axes.emplace_back();
    axis.name = table.names()[i];
    axis.type = table.type(i);
    axis.unit = table.unit(i);
  }
  return schema;
}

}  // namespace

RowFilter::RowFilter(results::StoredTable& table, const std::vector<std::string>& conditions) : table_(table) {
  const systems::Schema schema = schema_of(table);
  ProblemList problems;
  for (const std::string& text : conditions) {
    auto condition = sweep::Condition::compile({text, {"--where"}, {}}, schema, problems);
    if (condition) conditions_.push_back(std::move(*condition));
  }
  problems.throw_if_any();
}

bool RowFilter::keeps(std::uint64_t row) {
  return std::ranges::all_of(conditions_, [&](sweep::Condition& condition) {
    for (std::size_t i = 0; i < condition.axes().size(); ++i) {
      table_.get(row, condition.axes()[i], cell_);
      const double number = condition.number(cell_);
      if (std::isnan(number)) return false;
      condition.set(i, number);
    }
    const double truth = condition.evaluate();
    return !std::isnan(truth) && truth != 0;
  });
}

std::function<results::RowPredicate(const std::string&)> points_where(const std::string& results,
                                                                      const std::vector<std::string>& conditions) {
  if (conditions.empty()) return {};
  return [=](const std::string& study) -> results::RowPredicate {
    auto table = std::make_shared<results::StoredTable>(results, study);
    auto filter = std::make_shared<RowFilter>(*table, conditions);
    // The filter reads from the table.
    return [table, filter](std::uint64_t row) { return filter->keeps(row); };
  };
}

}  // namespace pimsweep::commands
