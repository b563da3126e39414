#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "systems/column_table.h"
#include "systems/devices/silicon_axes.h"
#include "systems/heteropim/outcome.h"
#include "systems/heteropim/settings.h"

namespace pimsweep::systems::heteropim {

/// The metrics of a point. SI units; empty where a policy lacks the quantity.
struct Result {
  double time = 0;
  double operation_time = 0;
  double movement_time = 0;
  double synchronization_time = 0;
  double overhead_time = 0;
  double time_per_sample = 0;
  double energy_per_sample = 0;
  double energy = 0;
  double dynamic_energy = 0;
  StepEnergy parts;
  double power = 0;
  double dynamic_power = 0;
  double edp = 0;
  std::uint32_t pairs = 0;
  std::optional<double> min_pair_share;
  Utilization utilization;
  std::optional<double> card_utilization;
  double launches = 0;
  double profile_time = 0;
  double program_share = 0;
  std::int64_t candidate_types = 0;
  double candidate_time = 0;
  std::optional<double> critical_path;
  std::optional<double> work_bound;
  std::int64_t operations = 0;
  std::int64_t work = 0;
  std::int64_t parameters = 0;
  double rate = 0;
  std::optional<double> card_footprint;
  std::optional<double> partner_steps;
  std::optional<double> partner_time;
  std::optional<double> together_time;
  std::optional<double> one_by_one_time;
  std::optional<double> corun_speedup;
  devices::SiliconEstimate silicon;
};

/// A row of table "by_type".
struct TypeRow {
  std::string_view type;
  std::int64_t invocations = 0;
  double time_share = 0;
  double memory_share = 0;
  std::int64_t time_rank = 0;
  std::int64_t memory_rank = 0;
  bool candidate = false;
};

/// A row of table "timeline".
struct TimelineRow {
  std::uint32_t step = 0;
  std::string_view operation;
  std::string_view type;
  std::string_view device;
  std::uint32_t units = 0;
  double start = 0;
  double end = 0;
  double bytes = 0;
  std::int64_t task = 0;
  std::string_view after;
};

/// A row of table "banks".
struct BankRow {
  std::int64_t bank = 0;
  bool at_edge = false;
  std::int64_t pairs = 0;
};

/// A row of table "convolutions".
struct ConvolutionRow {
  hardware::gpu::ConvolutionShape shape;
  hardware::gpu::Pass pass = hardware::gpu::Pass::forward;
  double work = 0;
  double kernel_time = 0;
};

/// Metrics and detail tables of the system "heteropim".
class Records {
 public:
  /// Adds metrics and tables to the schema.
  explicit Records(Schema& schema);
  void write(const Settings& settings, const workload::training::TrainingGraph& graph, const Outcome& outcome,
             Record& record) const;

 private:
  void write_timeline(const workload::training::TrainingGraph& graph, const Outcome& outcome, Record& record) const;

  MetricTable<Result> metrics_;
  RowTable<TypeRow> by_type_;
  RowTable<TimelineRow> timeline_;
  RowTable<BankRow> banks_;
  RowTable<ConvolutionRow> convolutions_;
};

}  // namespace pimsweep::systems::heteropim
