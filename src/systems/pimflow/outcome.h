#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "systems/column_table.h"
#include "systems/devices/silicon_axes.h"
#include "systems/pimflow/inference_point.h"

namespace pimsweep::systems::pimflow {

/// Seconds by kind of operator.
struct TimeByKind {
  double pointwise = 0;
  double convolution = 0;
  double depthwise = 0;
  double fully_connected = 0;
  double other = 0;

  double candidate_convolutions() const { return pointwise + convolution; }
  double all_convolutions() const { return candidate_convolutions() + depthwise; }
};
TimeByKind time_by_kind(const Network& network, const Plan& plan);

/// Shares of the candidates by how they run; empty without candidates.
struct CandidateShares {
  std::optional<double> on_gpu;
  std::optional<double> on_pim;
  std::optional<double> split;
  std::optional<double> pipelined;
};

/// Metrics of a point, in SI units, documented in columns.cpp.
struct Result {
  double time = 0;
  double baseline_time = 0;
  double speedup = 0;
  std::optional<double> candidate_convolution_speedup;
  std::optional<double> all_convolution_speedup;
  std::optional<double> speedup_beyond_convolutions;
  double throughput = 0;
  double time_per_sample = 0;
  TimeByKind times;
  double candidate_convolution_time = 0;
  double all_convolution_time = 0;
  double gpu_busy = 0;
  double pim_busy = 0;
  double gpu_idle = 0;
  double pim_idle = 0;
  double energy = 0;
  double energy_per_sample = 0;
  double gpu_static_energy = 0;
  double gpu_dynamic_energy = 0;
  double pim_energy = 0;
  std::int64_t pim_channels = 0;
  std::size_t nodes = 0;
  std::int64_t candidates = 0;
  CandidateShares shares;
  std::int64_t pipelines_chosen = 0;
  std::size_t pipelines_possible = 0;
  double macs = 0;
  std::string caveat;
  devices::SiliconEstimate silicon;
};

struct LayerRow {
  std::size_t place = 0;
  std::string_view layer;
  std::string_view kind;
  bool candidate = false;
  bool unique_convolution = false;
  std::int64_t kernel = 0;
  Mode choice = Mode::gpu;
  bool split = false;
  std::int64_t rows = 0;
  std::int64_t gpu_rows = 0;
  Usage usage;
  double gpu_time = 0;
  std::optional<double> pim_time;
  std::optional<double> pim_speedup;
  std::int64_t macs = 0;
  double intensity = 0;
};

struct SplitRow {
  std::string_view layer;
  bool unique_convolution = false;
  std::int64_t gpu_percent = 0;
  std::optional<double> time;
  bool chosen = false;
};

struct PipelineRow {
  std::string_view pattern;
  std::string_view first;
  std::string_view last;
  std::int64_t stages = 0;
  double time = 0;
  double apart = 0;
  double speedup = 0;
  bool chosen = false;
};

struct TimelineRow {
  std::int64_t task = 0;
  std::string layer;
  std::string_view what;
  std::string_view device;
  double start = 0;
  double end = 0;
  double bytes = 0;
  std::string after;
};

/// The metrics and detail tables of the system.
struct Columns {
  /// Adds all columns to the schema.
  explicit Columns(Schema& schema);

  MetricTable<Result> metrics;
  RowTable<LayerRow> by_layer;
  RowTable<SplitRow> splits;
  RowTable<PipelineRow> pipelines;
  RowTable<TimelineRow> timeline;
};

/// Adds rows to the table "timeline": work of GPU and PIM, one operator or pipeline after another.
void write_timeline(InferencePoint& point, const Columns& columns, Record& record);

/// Fills the record of a point.
void write_outcome(InferencePoint& point, const Columns& columns, Record& record);

}  // namespace pimsweep::systems::pimflow
