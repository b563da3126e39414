#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hardware/noc/step_simulation.h"
#include "systems/column_table.h"
#include "systems/devices/silicon_axes.h"
#include "systems/hypar/training_point.h"

namespace pimsweep::systems::hypar {

/// The simulated step, for fidelities "event" and "cycle".
struct SimulatedStep {
  const hardware::noc::StepProgram& program;
  const hardware::noc::StepTimeline& timeline;
  const std::vector<TaskName>& names;
};

/// Metrics of a point, in SI units, documented in columns.cpp.
struct Result {
  double time = 0;
  double throughput = 0;
  double time_per_sample = 0;
  double compute_time = 0;
  double exchange_time = 0;
  double exposed_exchange_time = 0;
  double time_lower_bound = 0;
  double communication = 0;
  double macs = 0;
  std::int64_t weights = 0;
  std::size_t layers = 0;
  std::int64_t accelerators = 0;
  bool hybrid = false;
  std::optional<double> search_space;
  double energy = 0;
  double energy_per_sample = 0;
  StepEnergy energies;
  double memory_used = 0;
  std::string parallelism;
  std::string_view found_by;
  std::string caveat;
  devices::SiliconEstimate silicon;
};

struct LayerRow {
  std::string_view layer;
  workload::TrainingNode::Kind kind{};
  std::string parallelism;
  std::int64_t weights = 0;
  std::int64_t features = 0;
  double intra_communication = 0;
  double inter_communication = 0;
  double compute_time = 0;
};

struct LevelRow {
  int level = 0;
  std::int64_t pairs = 0;
  double pair_communication = 0;
  double exchange_time = 0;
  std::string parallelism;
};

struct LayerLevelRow {
  std::string_view layer;
  workload::TrainingNode::Kind kind{};
  int level = 0;
  std::string_view parallelism;
  double intra_communication = 0;
  double inter_communication = 0;
};

struct TaskRow {
  hardware::noc::TaskId task = 0;
  std::string_view what;
  std::string_view layer;
  std::size_t level = 0;
  double start = 0;
  double end = 0;
  std::string units;
  double bytes = 0;
  std::string after;
};

/// The metrics and detail tables of the system.
struct Columns {
  /// Adds all columns to the schema.
  explicit Columns(Schema& schema);

  MetricTable<Result> metrics;
  RowTable<LayerRow> by_layer;
  RowTable<LevelRow> by_level;
  RowTable<LayerLevelRow> by_layer_and_level;
  RowTable<TaskRow> timeline;
};

/// Fills the record of a point; `simulated` is null for fidelity "analytic".
void write_outcome(const TrainingPoint& point, const SimulatedStep* simulated, const Columns& columns, Record& record);

/// Adds a row for each task of a step to the table "timeline".
void write_timeline(const TrainingPoint& point, const SimulatedStep& simulated, const Columns& columns, Record& record);

/// Lower bound on the time of a step: all GEMMs at peak rate, or the bytes on the busiest link.
double time_lower_bound(const TrainingPoint& point);

/// The word for a node of the network, as in "fully connected".
std::string_view kind_name(workload::TrainingNode::Kind kind);

}  // namespace pimsweep::systems::hypar
