#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "systems/column_table.h"
#include "systems/devices/silicon_axes.h"
#include "systems/rtconc/training_run.h"

namespace pimsweep::systems::rtconc {

/// The metrics of a point. SI units.
struct Result {
  double time = 0;
  double energy = 0;
  double time_per_sample = 0;
  double energy_per_sample = 0;
  double recommended_time = 0;
  double speedup = 0;
  std::optional<double> chosen_inter;
  std::optional<double> chosen_intra;
  double mean_co_running = 0;
  double mean_ready = 0;
  double mkl_share = 0;
  std::size_t events = 0;
  std::size_t operations = 0;
  std::size_t timed_operations = 0;
  std::size_t classes = 0;
  double change_time = 0;
  double contention_time = 0;
  double busy_cores = 0;
  double critical_path = 0;
  double work_bound = 0;
  double gap = 0;
  std::int64_t timed_classes = 0;
  std::optional<double> accuracy;
  std::optional<double> r2;
  std::optional<double> weighted_accuracy;
  std::int64_t cases = 0;
  std::int64_t shared_cases = 0;
  std::int64_t unshared_cases = 0;
  double profiling_steps = 0;
  double mean_loss = 0;
  double convexity_exceptions = 0;
  double local_optima = 0;
  std::string_view caveat;
  devices::SiliconEstimate silicon;
};

/// A row of table "by_type".
struct TypeRow {
  std::string_view type;
  std::int64_t rank = 0;
  std::int64_t instances = 0;
  double time = 0;
  double recommended_time = 0;
  std::optional<double> speedup;
  double threads = 0;
};

/// A row of table "timeline".
struct EventRow {
  std::int64_t event = 0;
  double time = 0;
  std::uint32_t running = 0;
  std::string_view type;
  bool starts = false;
};

/// A row of table "schedule".
struct OperationRow {
  std::int64_t task = 0;
  std::string_view operation;
  std::string_view type;
  std::string_view library;
  double start = 0;
  double end = 0;
  double threads = 0;
  double bytes = 0;
  std::string_view after;
};

/// Metrics and detail tables of the system "rtconc".
class Records {
 public:
  /// Adds metrics and tables to the schema.
  explicit Records(Schema& schema);
  void write(const Settings& settings, const workload::training::TrainingGraph& graph, const TrainingRun& run,
             Record& record) const;

 private:
  void write_events(const TrainingRun& run, Record& record) const;
  void write_schedule(const workload::training::TrainingGraph& graph, const TrainingRun& run, Record& record) const;

  MetricTable<Result> metrics_;
  RowTable<TypeRow> by_type_;
  RowTable<Trial> settings_;
  RowTable<EventRow> timeline_;
  RowTable<OperationRow> schedule_;
};

}  // namespace pimsweep::systems::rtconc
