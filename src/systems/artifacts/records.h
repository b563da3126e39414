#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "systems/column_table.h"
#include "workload/decoder/step.h"

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

/// Results of a point; SI units.
struct Result {
  /// Why the machine cannot run the point; empty if it can. Then the rest is missing.
  std::string misfit;
  double time = no_number;
  std::optional<double> time_per_token = {};
  std::optional<double> time_to_first_token = {};
  double tokens_per_second = no_number;
  double energy = no_number;
  double energy_per_token = no_number;
  double idle_energy = no_number;
  double power = no_number;
  double pim_busy = no_number;
  std::vector<OperatorRow> operators = {};
};

/// Metrics and the detail table that both artifacts have.
class Records {
 public:
  /// Adds metrics and the table to the schema.
  explicit Records(Schema& schema);
  void write(const Result& result, Record& record) const;

 private:
  MetricTable<Result> metrics_;
  RowTable<OperatorRow> by_operator_;
};

}  // namespace pimsweep::systems::artifacts
