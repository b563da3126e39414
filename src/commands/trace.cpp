#include "results/trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "base/message.h"
#include "base/plural.h"
#include "base/print.h"
#include "commands/commands.h"
#include "commands/output.h"
#include "commands/point_number.h"
#include "commands/stored_point.h"
#include "commands/text_table.h"
#include "driver/evaluator.h"
#include "results/timeline.h"
#include "results/version.h"

namespace pimsweep::commands {

namespace {

/// A point with its timeline, as far as its system has one.
struct TracedPoint {
  systems::Schema schema;
  systems::Record record;
  results::TraceNotes notes;
};

systems::Record evaluate_with_timeline(systems::System& system, systems::Point point) {
  static const Value on = true;
  const int axis = system.schema().axis_index(systems::record_timeline_axis);
  if (axis >= 0) point.set(static_cast<std::size_t>(axis), &on);
  systems::Record record;
  driver::evaluate_point(system, point, record);
  return record;
}

std::string noted(const Value& value, const std::string& unit) {
  return unit == "1" ? to_text(value) : fmt::format("{} {}", to_text(value), unit);
}

results::TraceNotes origin(const std::string& file, const std::string& study, std::uint64_t point,
                           const systems::Schema& schema) {
  return {{"program", results::version_text()},
          {"file", file},
          {"study", study},
          {"point", std::to_string(point)},
          {"system", fmt::format("{} version {}", schema.name, schema.version)}};
}

void note_metrics(TracedPoint& traced) {
  for (std::size_t i = 0; i < traced.schema.metrics.size(); ++i) {
    const systems::Metric& metric = traced.schema.metrics[i];
    traced.notes.emplace_back(metric.name, noted(traced.record.metrics[i], metric.unit));
  }
}

/// Reports how many metrics the current program computes differently.
void warn_of_changes(const StoredPoint& stored, const TracedPoint& now) {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < stored.schema.metrics.size(); ++i) {
    const int index = now.schema.metric_index(stored.schema.metrics[i].name);
    const Value& then = stored.entry.record.metrics[i];
    const bool is_same = index >= 0 && to_text(then) == to_text(now.record.metrics[static_cast<std::size_t>(index)]);
    changed += is_same ? 0 : 1;
  }
  if (changed == 0) return;
  print_warning("the trace is from the current program, whose results differ from the file in {} of {}: see rerun",
                changed, count_of(stored.schema.metrics.size(), "metric"));
}

TracedPoint trace_results(const TraceOptions& request, const ConfigFolders& configs) {
  StoredPoint stored = read_stored_point(request.file, request.plan.studies, request.point);
  TracedPoint traced{.schema = stored.schema,
                     .record = stored.entry.record,
                     .notes = origin(request.file, stored.study, stored.number, stored.schema)};
  for (std::size_t i = 0; i < stored.axes.size(); ++i)
    traced.notes.emplace_back(stored.schema.axes[i].name, noted(stored.axes[i], stored.schema.axes[i].unit));
  if (!systems::has_timeline(traced.schema, traced.record)) {
    const RevivedPoint revived = revive(stored, configs);
    traced.schema = revived.system->schema();
    traced.record = evaluate_with_timeline(*revived.system, revived.point());
    warn_of_changes(stored, traced);
  }
  note_metrics(traced);
  return traced;
}

TracedPoint trace_experiment(const TraceOptions& request, const ConfigFolders& configs) {
  sweep::PlanOptions options = request.plan;
  options.configs = configs;
  const sweep::Plan plan = sweep::load_plan(request.file, options);
  const sweep::Plan::Location location = planned_point(request.point, plan, request.file);
  const sweep::Study& study = plan.studies[location.study];
  systems::Point point(study.schema().axes.size());
  study.point(location.index, point);
  TracedPoint traced{.schema = study.schema(),
                     .record = evaluate_with_timeline(*systems::make_system(study.system(), plan.configs), point),
                     .notes = origin(request.file, study.id(), location.index, study.schema())};
  for (std::size_t i = 0; i < point.size(); ++i)
    traced.notes.emplace_back(traced.schema.axes[i].name, noted(point[i], traced.schema.axes[i].unit));
  note_metrics(traced);
  return traced;
}

/// Why a point has no timeline.
std::string reason_without_timeline(const TracedPoint& traced, const ConfigFolders& configs) {
  const systems::Record& record = traced.record;
  if (record.status != systems::Status::ok)
    return fmt::format("the point is {}: {}", name_of(record.status), record.message);
  const auto can_have_one = [](const systems::Schema& schema) {
    return std::ranges::any_of(schema.tables, [](const systems::Table& t) { return timeline_columns(t).has_value(); });
  };
  if (can_have_one(traced.schema))
    return fmt::format("system '{}' does not record a timeline for points with these axes", traced.schema.name);
  std::vector<std::string> others;
  for (const systems::SystemEntry& entry : systems::systems()) {
    if (can_have_one(entry.make(configs)->schema())) others.push_back(entry.name);
  }
  return fmt::format("system '{}' has no timeline; these have one: {}", traced.schema.name, fmt::join(others, ", "));
}

/// "120 intervals in 5 lanes, the last until 1.2 ms", for each timeline.
void print_summary(const TracedPoint& traced, const std::string& output) {
  for (std::size_t i = 0; i < traced.schema.tables.size(); ++i) {
    const systems::Table& table = traced.schema.tables[i];
    if (traced.record.tables[i].empty() || !timeline_columns(table)) continue;
    const results::Timeline timeline(table, traced.record.tables[i]);
    std::size_t lanes = 0;
    for (const results::Timeline::Group& group : timeline.groups()) lanes += group.lanes.size();
    print_to(stdout, "{}: {} of table {} in {}; open it at https://ui.perfetto.dev or chrome://tracing\n", output,
             count_of(timeline.rows(), "interval"), table.name, count_of(lanes, "lane"));
  }
}

/// Writes a row for each interval of each timeline, if the form asks for it.
void write_intervals(const TracedPoint& traced, const OutputForm& form) {
  TableWriter writer(form);
  for (std::size_t i = 0; i < traced.schema.tables.size(); ++i) {
    const systems::Table& table = traced.schema.tables[i];
    if (traced.record.tables[i].empty() || !timeline_columns(table)) continue;
    std::vector<std::string> names;
    std::vector<std::string> numbers;
    for (const systems::Metric& column : table.columns) {
      names.push_back(column.name);
      if (column.type == ValueType::integer || column.type == ValueType::real) numbers.push_back(column.name);
    }
    TextTable intervals(names);
    const results::Timeline timeline(table, traced.record.tables[i]);
    for (std::size_t row = 0; row < timeline.rows(); ++row) {
      std::vector<std::string> cells;
      for (std::size_t column = 0; column < names.size(); ++column)
        cells.push_back(to_text(timeline.cell(row, column)));
      intervals.add(std::move(cells));
    }
    writer.add(intervals, numbers);
  }
  writer.write();
}

}  // namespace

int trace(const TraceOptions& request, const ConfigFolders& configs) {
  const bool has_trace = !request.output.empty();
  if (!has_trace && !request.form.json && request.form.csv.empty())
    throw InputError("expected a file for the trace, such as -o trace.json; or --csv FILE, --json");
  if (request.output == standard_output && !request.form.has_text())
    throw InputError("-o -: the standard output already takes the intervals as CSV or JSON");
  const TracedPoint traced =
      is_results_file(request.file) ? trace_results(request, configs) : trace_experiment(request, configs);
  if (!systems::has_timeline(traced.schema, traced.record))
    throw InputError(
        fmt::format("{}, point {}: {}", request.file, request.point, reason_without_timeline(traced, configs)));
  write_intervals(traced, request.form);
  if (!has_trace) return driver::exit_all_done;
  std::ostringstream text;
  results::write_trace(traced.schema, traced.record, traced.notes, text);
  write_named_output(request.output, text.str(), request.form.force);
  if (request.output != standard_output && request.form.has_text()) print_summary(traced, request.output);
  return driver::exit_all_done;
}

}  // namespace pimsweep::commands
