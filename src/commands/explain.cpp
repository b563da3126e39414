#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <vector>

#include "base/quantity.h"
#include "commands/commands.h"
#include "commands/json.h"
#include "commands/point_number.h"
#include "commands/stored_point.h"
#include "commands/terminal.h"
#include "commands/text_table.h"
#include "commands/verdict.h"
#include "driver/evaluator.h"
#include "sweep/hardware_axis.h"

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

/// The point to explain, from an experiment or a results file.
struct ExplainedPoint {
  std::string title;
  std::unique_ptr<systems::System> system;
  /// The system's schema with the axes of the study.
  systems::Schema schema;
  systems::Point point{0};
  /// Origin of the value of each axis.
  std::vector<std::string> origins;
  systems::Record record;
  /// Hold what `point` points to.
  std::shared_ptr<const sweep::Plan> plan;
  std::vector<Value> axes;
};

ExplainedPoint planned(const ExplainOptions& request) {
  const auto plan = std::make_shared<const sweep::Plan>(sweep::load_plan(request.file, request.plan));
  const sweep::Plan::Location location = planned_point(request.point, *plan, request.file);
  const std::uint64_t index = plan->offset(location.study) + location.index;
  const sweep::Study& study = plan->studies[location.study];
  ExplainedPoint found;
  found.plan = plan;
  found.system = systems::make_system(study.system(), plan->configs);
  found.schema = study.schema();
  found.point = systems::Point(study.schema().axes.size());
  study.point(location.index, found.point);
  for (std::size_t i = 0; i < study.schema().axes.size(); ++i)
    found.origins.push_back(study.origin_of(i, found.point).text);
  journal::Entry entry;
  driver::Evaluator(*plan).evaluate(index, entry);
  found.record = entry.record;
  found.title = fmt::format("point {} of {} (study {}, point {} in it)\nidentity {}\n", index, plan->name, study.id(),
                            location.index, entry.identity.text());
  return found;
}

ExplainedPoint stored(const ExplainOptions& request) {
  const StoredPoint point = read_stored_point(request.file, request.plan.studies, request.point);
  RevivedPoint revived = revive(point, request.plan.configs);
  ExplainedPoint found;
  found.axes = std::move(revived.axes);
  found.system = std::move(revived.system);
  found.schema = found.system->schema();
  found.point = systems::Point(found.axes.size());
  for (std::size_t i = 0; i < found.axes.size(); ++i) {
    found.point.set(i, &found.axes[i]);
    found.origins.push_back(sweep::is_hardware_constant(found.system->schema().axes[i]) ? "hardware" : "results file");
  }
  driver::evaluate_point(*found.system, found.point, found.record);
  found.title = fmt::format("point {} of study {} in {}, evaluated again\n", point.number, point.study, request.file);
  for (const std::string& change : revived.changes) found.title += fmt::format("note: {}\n", change);
  return found;
}

/// The axes; constants of the hardware only if `all`.
void print_axes(const ExplainedPoint& point, const Style& style, bool all) {
  const systems::Schema& schema = point.schema;
  TextTable axes({"axis", "value", "from"});
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < schema.axes.size(); ++i) {
    if (!all && point.origins[i].starts_with("hardware")) {
      ++left_out;
      continue;
    }
    axes.add({schema.axes[i].name, style.text(point.point[i], schema.axes[i].unit), point.origins[i]});
  }
  fmt::print("{}", axes.wrapped(style.width));
  if (left_out > 0) fmt::print("and {} constants of the hardware (--all shows them)\n", left_out);
  fmt::print("\n");
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

/// Metrics with all digits; empty where they have no number.
std::string csv_text(const systems::Schema& schema, const systems::Record& record) {
  TextTable table({"metric", "value", "unit", "meaning"});
  for (std::size_t i = 0; i < schema.metrics.size(); ++i) {
    const systems::Metric& metric = schema.metrics[i];
    const auto* number = std::get_if<double>(&record.metrics[i]);
    const bool is_absent = number != nullptr && std::isnan(*number);
    table.add({metric.name, is_absent ? "" : to_text(record.metrics[i]), metric.unit, metric.doc});
  }
  return table.csv();
}

}  // namespace

int explain(const ExplainOptions& request) {
  const ExplainedPoint point = is_results_file(request.file) ? stored(request) : planned(request);
  const systems::Record& record = point.record;
  const systems::Schema& schema = point.schema;
  const bool is_ok = record.status == systems::Status::ok;
  const Verdict verdict = is_ok ? judge(*point.system, point.point, record) : Verdict{};
  const int status = record.status == systems::Status::failed ? driver::exit_some_failed : driver::exit_all_done;
  if (!request.form.csv.empty()) write_output(request.form.csv, csv_text(schema, record), request.form.force);
  if (request.form.json) {
    Json axes = Json::object();
    for (std::size_t i = 0; i < schema.axes.size(); ++i) axes[schema.axes[i].name] = json_of(point.point[i]);
    Json metrics = Json::object();
    for (std::size_t i = 0; i < schema.metrics.size(); ++i)
      metrics[schema.metrics[i].name] = json_of(record.metrics[i]);
    fmt::print("{}", text_of({{"system", schema.name},
                              {"status", systems::name_of(record.status)},
                              {"message", record.message},
                              {"verdict", verdict.metric.empty() ? Json() : verdict.json()},
                              {"axes", axes},
                              {"metrics", metrics}}));
    return status;
  }
  if (!request.form.has_text()) return status;
  fmt::print("{}\n", point.title);
  const Style style{request.exact, terminal_columns()};
  if (!verdict.metric.empty()) fmt::print("{}\n", verdict.text(style.width));
  print_axes(point, style, request.all);
  print_explanation(*point.system, point.point, style);
  fmt::print("status {}{}{}\n", systems::name_of(record.status), record.message.empty() ? "" : ": ", record.message);
  if (status == driver::exit_all_done) print_metrics(schema, record, style);
  return status;
}

}  // namespace pimsweep::commands
