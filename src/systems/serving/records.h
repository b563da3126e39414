#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "systems/column_table.h"
#include "systems/serving/evaluation.h"

namespace pimsweep::systems::serving {

/// A row of table "request_times".
struct RequestRow {
  std::int64_t request = 0;
  double arrival = 0;
  double queued = 0;
  double scheduled = 0;
  double first_token = 0;
  double last_token = 0;
  std::int64_t input = 0;
  std::int64_t output = 0;
};

/// A row of table "step_times".
struct StepRow {
  std::string_view lane = "engine";
  std::string_view kind;
  double start = 0;
  double end = 0;
  std::int64_t prompt_tokens = 0;
  std::int64_t decodes = 0;
  std::int64_t running = 0;
  std::int64_t waiting = 0;
  double cache = 0;
  std::int64_t preemptions = 0;
};

/// Metrics and detail tables of the system "serving".
class Records {
 public:
  /// Adds metrics and tables to the schema.
  explicit Records(Schema& schema);
  void write(const Settings& settings, const Evaluator& evaluator, const Evaluation& evaluation, Record& record) const;

 private:
  MetricTable<Evaluation> metrics_;
  RowTable<RequestRow> requests_;
  RowTable<StepRow> steps_;
};

/// Every intermediate quantity of a point.
void explain_point(const Settings& settings, const Evaluation& evaluation, Explanation& explanation);

}  // namespace pimsweep::systems::serving
