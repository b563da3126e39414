#pragma once

#include <string_view>

#include "systems/column_table.h"
#include "systems/llm/step/model_run.h"

namespace pimsweep::systems::artifacts {

/// A row of table "by_operator": a part of a step of all blocks.
struct OperatorRow {
  std::string_view name;
  workload::decoder::Kind kind = workload::decoder::Kind::linear;
  double pim_share = 0;
  double time = 0;
  double gpu_time = 0;
  double pim_time = 0;
  double link_time = 0;
};

/// Metrics and the detail table that both artifacts have.
class Records {
 public:
  /// Adds metrics and the table to the schema.
  explicit Records(Schema& schema);
  void write(const llm::step::ModelRun& run, Record& record) const;

 private:
  MetricTable<llm::step::ModelRun> metrics_;
  RowTable<OperatorRow> by_operator_;
};

}  // namespace pimsweep::systems::artifacts
