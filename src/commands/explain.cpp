#include <fmt/format.h>

#include <cmath>

#include "base/quantity.h"
#include "commands/commands.h"
#include "commands/point_number.h"
#include "commands/terminal.h"
#include "commands/text_table.h"
#include "driver/evaluator.h"

namespace pimsweep::commands {

namespace {

/// Format of values: for people, or with all digits in SI units.
struct Style {
  bool exact;
  std::size_t width;

  std::string text(const Value& value, const std::string& unit) const {
    const bool is_number = type_of(value) == ValueType::integer || type_of(value) == ValueType::real;
    if (!is_number || (unit == "1" && type_of(value) == ValueType::integer)) return to_text(value);
    if (!exact) return format_quantity(to_real(value), unit);
    return unit == "1" ? to_text(value) : fmt::format("{} {}", to_text(value), unit);
  }
};

void print_axes(const sweep::Study& study, const systems::Point& point, const Style& style) {
  const systems::Schema& schema = study.schema();
  TextTable axes({"axis", "value", "from"});
  for (std::size_t i = 0; i < schema.axes.size(); ++i) {
    axes.add({schema.axes[i].name, style.text(point[i], schema.axes[i].unit), study.origin_of(i, point).text});
  }
  fmt::print("{}\n", axes.wrapped(style.width));
}

void print_explanation(systems::System& system, const systems::Point& point, const Style& style) {
  systems::Explanation explanation;
  try {
    system.explain(point, explanation);
  } catch (const PointError&) {
    // The point's status says why, after the quantities known so far.
  }
  for (const systems::Explanation::Section& section : explanation.sections) {
    TextTable lines({section.title, "", ""});
    for (const systems::Explanation::Line& line : section.lines) lines.add({"  " + line.name, line.value, line.note});
    fmt::print("{}\n", lines.wrapped(style.width));
  }
}

void print_metrics(const systems::Schema& schema, const systems::Record& record, const Style& style) {
  TextTable metrics({"metric", "value", "meaning"});
  for (std::size_t i = 0; i < schema.metrics.size(); ++i) {
    const systems::Metric& metric = schema.metrics[i];
    const auto* number = std::get_if<double>(&record.metrics[i]);
    const bool is_absent = number != nullptr && std::isnan(*number);
    metrics.add(
        {metric.name, is_absent ? "-" : style.text(record.metrics[i], metric.unit),
         is_absent && !metric.absent.empty() ? fmt::format("{} (absent: {})", metric.doc, metric.absent) : metric.doc});
  }
  fmt::print("{}", metrics.wrapped(style.width));
}

}  // namespace

int explain(const std::string& experiment, const sweep::PlanOptions& options, std::int64_t number, bool exact) {
  const sweep::Plan plan = sweep::load_plan(experiment, options);
  const sweep::Plan::Location location = planned_point(number, plan, experiment);
  const std::uint64_t index = plan.offset(location.study) + location.index;
  const sweep::Study& study = plan.studies[location.study];
  systems::Point point(study.schema().axes.size());
  study.point(location.index, point);
  journal::Entry entry;
  driver::Evaluator(plan).evaluate(index, entry);

  fmt::print("point {} of {} (study {}, point {} in it)\nidentity {}\n\n", index, plan.name, study.id(), location.index,
             entry.identity.text());
  const Style style{exact, terminal_columns()};
  print_axes(study, point, style);
  print_explanation(*systems::make_system(study.system(), plan.configs), point, style);
  const systems::Record& record = entry.record;
  fmt::print("status {}{}{}\n", systems::name_of(record.status), record.message.empty() ? "" : ": ", record.message);
  if (record.status == systems::Status::failed) return 1;
  print_metrics(study.schema(), record, style);
  return 0;
}

}  // namespace pimsweep::commands
