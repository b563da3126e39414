#include "calibrate/observed.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sweep/derived_metrics.h"

namespace pimsweep::calibrate {

namespace {

sweep::Condition compiled(const sweep::Observation& observation, const systems::Schema& names) {
  ProblemList problems;
  std::optional<sweep::Condition> condition = sweep::Condition::compile(observation.expression, names, problems);
  problems.throw_if_any();
  return std::move(*condition);
}

std::size_t reference_column(const sweep::Study& study, const std::string& metric) {
  const auto column = std::ranges::find_if(study.carried(), [&](const sweep::CarriedColumn& carried) {
    return carried.role == sweep::CarriedColumn::Role::reference && carried.name == metric;
  });
  return static_cast<std::size_t>(column - study.carried().begin());
}

}  // namespace

Observed::Observed(const sweep::Study& study, const sweep::Observation& observation)
    : study_(study), condition_(compiled(observation, sweep::with_metrics_as_axes(study.schema()))) {
  const systems::Schema& schema = study.schema();
  const systems::Schema names = sweep::with_metrics_as_axes(schema);
  for (const std::size_t name : condition_.axes()) {
    const bool is_axis = name < schema.axes.size();
    const std::string& metric = names.axes[name].name;
    operands_.push_back(is_axis ? Operand{true, name, 0}
                                : Operand{false, static_cast<std::size_t>(schema.metric_index(metric)),
                                          reference_column(study, metric)});
  }
}

template <typename ValueOf>
double Observed::value(const systems::Point& point, const ValueOf& value_of) {
  for (std::size_t i = 0; i < operands_.size(); ++i) {
    const double number =
        operands_[i].is_axis ? condition_.number(point[operands_[i].index]) : to_real(value_of(operands_[i]));
    if (std::isnan(number)) return number;
    condition_.set(i, number);
  }
  return sweep::finite_value(condition_);
}

double Observed::predicted(const systems::Point& point, const systems::Record& record) {
  return value(point, [&](const Operand& one) -> const Value& { return record.metrics[one.index]; });
}

double Observed::reference(std::uint64_t row, const systems::Point& point) {
  return value(point, [&](const Operand& one) -> const Value& { return study_.carried_value(one.column, row); });
}

}  // namespace pimsweep::calibrate
