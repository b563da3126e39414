#include "commands/row_filter.h"

#include <cmath>
#include <utility>

namespace pimsweep::commands {

namespace {

/// The columns of a study as if they were axes: what conditions are compiled against.
systems::Schema schema_of(const results::StudyColumns& study) {
  systems::Schema schema;
  schema.name = study.system();
  for (const std::string& name : study.columns()) {
    const results::ColumnReader column = study.column(name);
    systems::Axis& axis = schema.axes.emplace_back();
    axis.name = name;
    axis.type = column.type();
    axis.unit = column.unit();
  }
  return schema;
}

}  // namespace

std::optional<RowFilter> RowFilter::compile(const results::StudyColumns& study,
                                            const std::vector<std::string>& conditions) {
  if (conditions.empty()) return std::nullopt;
  const systems::Schema schema = schema_of(study);
  RowFilter filter;
  ProblemList problems;
  for (const std::string& text : conditions) {
    auto condition = sweep::Condition::compile({text, {"--where"}, {}}, schema, problems);
    if (!condition) continue;
    Part part{std::move(*condition)};
    for (const std::size_t axis : part.condition.axes()) part.operands.push_back(study.column(schema.axes[axis].name));
    filter.parts_.push_back(std::move(part));
  }
  problems.throw_if_any();
  return filter;
}

bool RowFilter::keeps(std::uint64_t row) {
  for (Part& part : parts_) {
    for (std::size_t i = 0; i < part.operands.size(); ++i) {
      part.operands[i].get(row, cell_);
      const double number = part.condition.number(cell_);
      if (std::isnan(number)) return false;
      part.condition.set(i, number);
    }
    const double truth = part.condition.evaluate();
    if (std::isnan(truth) || truth == 0) return false;
  }
  return true;
}

}  // namespace pimsweep::commands
