#include <fmt/format.h>

#include "base/quantity.h"
#include "commands/commands.h"
#include "commands/text_table.h"
#include "driver/evaluator.h"

namespace pimsweep::commands {

namespace {

std::string readable(const Value& value, const std::string& unit) {
  const bool number = type_of(value) == ValueType::integer || type_of(value) == ValueType::real;
  return number && unit != "1" ? format_quantity(to_real(value), unit) : to_text(value);
}

void print_axes(const sweep::Study& study, const systems::Point& point) {
  const systems::Schema& schema = study.schema();
  TextTable axes({"axis", "value", "from"});
  for (std::size_t i = 0; i < schema.axes.size(); ++i) {
    axes.add({schema.axes[i].name, readable(point[i], schema.axes[i].unit), study.value_source(i, point)});
  }
  fmt::print("{}\n", axes.aligned());
}

void print_explanation(systems::System& system, const systems::Point& point) {
  systems::Explanation explanation;
  try {
    system.explain(point, explanation);
  } catch (const PointError&) {
    // The point's status says why, after the quantities known so far.
  }
  for (const systems::Explanation::Section& section : explanation.sections) {
    TextTable lines({section.title, "", ""});
    for (const systems::Explanation::Line& line : section.lines) lines.add({"  " + line.name, line.value, line.note});
    fmt::print("{}\n", lines.aligned());
  }
}

void print_metrics(const systems::Schema& schema, const systems::Record& record) {
  TextTable metrics({"metric", "value", "meaning"});
  for (std::size_t i = 0; i < schema.metrics.size(); ++i) {
    metrics.add({schema.metrics[i].name, readable(record.metrics[i], schema.metrics[i].unit), schema.metrics[i].doc});
  }
  fmt::print("{}", metrics.aligned());
}

}  // namespace

int explain(const std::string& experiment, const sweep::PlanOptions& options, std::uint64_t index) {
  const sweep::Plan plan = sweep::load_plan(experiment, options);
  if (index >= plan.size()) {
    throw InputError(
        fmt::format("--point {}: the points of {} are numbered 0 to {}", index, experiment, plan.size() - 1));
  }
  const sweep::Plan::Location location = plan.locate(index);
  const sweep::Study& study = plan.studies[location.study];
  systems::Point point(study.schema().axes.size());
  study.point(location.index, point);
  results::JournalEntry entry;
  driver::Evaluator(plan).evaluate(index, entry);

  fmt::print("point {} of {} (study {}, point {} in it)\nidentity {}\n\n", index, plan.name, study.id(), location.index,
             entry.identity.text());
  print_axes(study, point);
  print_explanation(*systems::make_system(study.system(), plan.configs), point);
  const systems::Record& record = entry.record;
  fmt::print("status {}{}{}\n", systems::name_of(record.status), record.message.empty() ? "" : ": ", record.message);
  if (record.status == systems::Status::failed) return 1;
  print_metrics(study.schema(), record);
  return 0;
}

}  // namespace pimsweep::commands
