#include "results/study_groups.h"

#include <fmt/format.h>

#include <utility>

namespace pimsweep::results {

namespace {

ColumnInfo point_column() { return numbering("point", "number of the point in the study"); }

/// A metric that is a number is stored as a real: NaN where it is missing.
ValueType stored_type(const systems::Metric& metric) {
  return metric.type == ValueType::text ? ValueType::text : ValueType::real;
}

ColumnInfo result_column(const systems::Metric& metric, const std::string& source, ColumnRole role, ValueType type) {
  return {.name = metric.name,
          .unit = metric.unit,
          .long_name = metric.doc,
          .source = source,
          .role = role,
          .type = type,
          .non_negative = type != ValueType::text && metric.range == systems::Range::non_negative,
          .absent = metric.absent,
          .timeline = metric.timeline};
}

ColumnInfo identity_column(const char* name, const char* half) {
  return {.name = name,
          .unit = "1",
          .long_name = fmt::format("{} half of the point's content hash", half),
          .source = "",
          .role = ColumnRole::identity,
          .type = ValueType::integer,
          .random = true};
}

/// The columns of a detail table, each row with the number of its point.
GroupInfo table_group(const std::string& study, const systems::Table& table, const std::string& source) {
  GroupInfo group{fmt::format("{}/{}", study, table.name), table.doc};
  group.columns = {numbering("row", "row of the table"),
                   numbering("point", "point of the study that the row belongs to")};
  for (const systems::Metric& column : table.columns)
    group.columns.push_back(result_column(column, source, ColumnRole::detail, column.type));
  return group;
}

ColumnInfo quantile_column(const systems::Metric& metric, const char* name, const char* what) {
  return {.name = fmt::format("{}_{}", metric.name, name),
          .unit = metric.unit,
          .long_name = fmt::format("{} over the sampled machines that have it: {}", what, metric.doc),
          .source = "",
          .role = ColumnRole::band,
          .absent = "no sampled machine has the number"};
}

GroupInfo bands_of(const std::string& study, const systems::Schema& schema) {
  GroupInfo group{fmt::format("{}/{}", study, bands_group), "quantiles of the metrics over the sampled machines"};
  group.columns = {numbering("row", "row of the table"),
                   numbering("point", "point of the study, on the machine of the hardware file, that the bands are of"),
                   numbering("machines", "sampled machines on which the point has a result")};
  group.columns.back().role = ColumnRole::band;
  for (const systems::Metric& metric : schema.metrics) {
    if (metric.type == ValueType::text) continue;
    group.columns.push_back(quantile_column(metric, "low", "5 % quantile"));
    group.columns.push_back(quantile_column(metric, "median", "median"));
    group.columns.push_back(quantile_column(metric, "high", "95 % quantile"));
  }
  return group;
}

}  // namespace

StudyGroups::StudyGroups(const StudyView& study) {
  const systems::Schema& schema = study.schema();
  const std::string source = source_of_results(schema);
  std::vector<ColumnInfo> of_points{point_column()};
  bool has_draws = false;
  for (const ColumnInfo& input : study.inputs()) {
    if (input.name == draw_column && input.role == ColumnRole::axis && !input.constant) {
      has_draws = true;
      draw_input = of_points.size() - first_input;
    }
    of_points.push_back(input);
  }
  first_metric = of_points.size();
  const std::size_t first_derived = schema.metrics.size() - study.derived_metrics();
  for (std::size_t i = 0; i < schema.metrics.size(); ++i) {
    const systems::Metric& metric = schema.metrics[i];
    of_points.push_back(
        result_column(metric, i < first_derived ? source : derived_source, ColumnRole::metric, stored_type(metric)));
  }
  status = of_points.size();
  of_points.push_back({.name = "status",
                       .unit = "1",
                       .long_name = "outcome of the point",
                       .source = "",
                       .role = ColumnRole::status,
                       .type = ValueType::integer,
                       .flags = status_flags});
  message = of_points.size();
  of_points.push_back({.name = "message",
                       .unit = "1",
                       .long_name = "reason why the point is infeasible or failed",
                       .source = "",
                       .role = ColumnRole::status,
                       .type = ValueType::text});
  identity = of_points.size();
  of_points.push_back(identity_column("identity_high", "upper"));
  of_points.push_back(identity_column("identity_low", "lower"));

  groups.push_back({study.id(), {}, std::move(of_points)});
  groups.push_back(
      {fmt::format("provenance/{}", study.id()),
       {},
       {point_column(),
        {.name = "seconds", .unit = "s", .long_name = "time that the point's evaluation took", .source = ""}}});
  for (const systems::Table& table : schema.tables) groups.push_back(table_group(study.id(), table, source));
  first_filled = groups.size();
  for (const FilledTable& filled : study.tables()) groups.push_back(table_group(study.id(), filled.table, source));
  bands = groups.size();
  if (has_draws) groups.push_back(bands_of(study.id(), schema));
}

}  // namespace pimsweep::results
