#include "results/study_groups.h"

#include <fmt/format.h>

#include "results/draws.h"

namespace pimsweep::results {

namespace {

/// A metric that is a number is stored as a real: NaN where it is missing.
ValueType stored_type(const systems::Metric& metric) {
  return metric.type == ValueType::text ? ValueType::text : ValueType::real;
}

ColumnInfo column_info(const systems::Metric& metric, const std::string& source, std::string role, ValueType type) {
  return {.name = metric.name,
          .unit = metric.unit,
          .long_name = metric.doc,
          .source = source,
          .role = std::move(role),
          .type = type,
          .non_negative = type != ValueType::text && metric.range == systems::Range::non_negative,
          .absent = metric.absent,
          .timeline = std::string(word_of(systems::timeline_role_words, metric.timeline))};
}

ColumnInfo identity_column(const char* name, const char* half) {
  return {.name = name,
          .unit = "1",
          .long_name = fmt::format("{} half of the point's content hash", half),
          .source = "",
          .role = "identity",
          .type = ValueType::integer,
          .random = true};
}

ColumnInfo point_column() { return {"point", "1", "number of the point in the study", "", "", ValueType::integer}; }

}  // namespace

std::string source_of_results(const systems::Schema& schema) {
  return fmt::format("{} version {}", schema.name, schema.version);
}

GroupInfo table_group(const systems::Table& table, const std::string& source) {
  GroupInfo group{table.name, table.doc};
  group.columns = {{"row", "1", "row of the table", "", "", ValueType::integer},
                   {"point", "1", "point of the study that the row belongs to", "", "", ValueType::integer}};
  for (const systems::Metric& column : table.columns)
    group.columns.push_back(column_info(column, source, "detail", column.type));
  return group;
}

StudyGroups::StudyGroups(const StudyView& study)
    : points{study.id(), {}, {point_column()}},
      seconds{study.id(),
              {},
              {point_column(), {"seconds", "s", "time that the point's evaluation took", "", "", ValueType::real}}} {
  const std::string source = source_of_results(study.schema());
  for (const InputColumn& input : study.inputs()) {
    if (input.name == draw_column && input.role == "axis" && !input.constant) draw = points.columns.size();
    points.columns.push_back({.name = input.name,
                              .unit = input.unit,
                              .long_name = input.long_name,
                              .source = input.source,
                              .role = input.role,
                              .type = input.type,
                              .constant = input.constant});
  }
  first_metric = points.columns.size();
  for (const systems::Metric& metric : study.schema().metrics)
    points.columns.push_back(column_info(metric, source, "metric", stored_type(metric)));
  status = points.columns.size();
  points.columns.push_back({"status", "1", "what became of the point", "", "status", ValueType::boolean,
                            "ok infeasible failed crashed not_run"});
  message = points.columns.size();
  points.columns.push_back({"message", "1", "why the point is infeasible or failed", "", "status", ValueType::text});
  identity = points.columns.size();
  points.columns.push_back(identity_column("identity_high", "upper"));
  points.columns.push_back(identity_column("identity_low", "lower"));
  for (const systems::Table& table : study.schema().tables) tables.push_back(table_group(table, source));
}

}  // namespace pimsweep::results
