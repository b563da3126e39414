#pragma once

#include <optional>
#include <string_view>

#include "systems/column_table.h"
#include "systems/llm/evaluation.h"
#include "systems/roofline.h"

namespace pimsweep::systems::llm {

/// A row of table "by_operator".
struct OperatorRow {
  std::string_view name;
  workload::decoder::Kind kind = workload::decoder::Kind::linear;
  double times = 0;
  double pim_share = 0;
  double time = 0;
  double gpu_time = 0;
  double pim_time = 0;
  double link_time = 0;
  double operations = 0;
  double gpu_bytes = 0;
  double pim_bytes = 0;
  double link_bytes = 0;
  double energy = 0;
};

/// A row of table "timeline".
struct IntervalRow {
  std::string_view part;
  std::string_view lane;
  std::string_view name;
  double start = 0;
  double end = 0;
};

/// Metrics and detail tables of the system "llm".
class Records {
 public:
  /// Adds metrics and tables to the schema.
  explicit Records(Schema& schema);
  void write(const Settings& settings, const Evaluation& evaluation, Record& record) const;

 private:
  MetricTable<Evaluation> metrics_;
  RowTable<OperatorRow> by_operator_;
  RowTable<IntervalRow> timeline_;
};

/// GPUs and PIM in their rooflines; peaks of PIM are unknown.
Roofline roofline_of(const Settings& settings, const Evaluation& evaluation);

/// Every intermediate quantity of a point.
void explain_point(const Settings& settings, const Evaluation& evaluation, Explanation& explanation);

}  // namespace pimsweep::systems::llm
