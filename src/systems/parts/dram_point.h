#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "hardware/dram/controller.h"
#include "hardware/dram/energy.h"
#include "hardware/dram/pattern.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"

namespace pimsweep::systems::parts {

enum class DramFidelity : std::uint8_t { analytic, cycle };

/// A point of the system `dram`.
struct DramSettings {
  DramFidelity fidelity = DramFidelity::cycle;
  /// The standard that the channel has to follow.
  std::string_view standard;
  hardware::dram::Traffic traffic;
  /// Path of a trace, which replaces the pattern; empty if there is none.
  std::string_view trace;
  bool trace_at_given_cycles = false;
  /// Stands for traffic.mapping.
  std::string_view mapping;
  /// Stands for traffic.mix.
  std::string_view read_fraction;
  hardware::dram::ControllerOptions options;
  hardware::dram::Dram channel;
  /// Stands for channel.constraints.
  std::string_view rules;
  /// Divides the intervals of refreshes.
  std::int64_t refresh_rate = 1;
};

/// Its metrics.
struct DramResult {
  hardware::dram::Result run;
  /// Metrics of the simulation alone.
  std::optional<double> cycles_last_accept;
  std::optional<double> mean_read_latency;
  std::optional<double> reads_forwarded;
  std::optional<double> writes_coalesced;
  /// Metrics of a trace alone.
  std::optional<double> median_read_latency;
  std::optional<double> read_latency_90;
  std::optional<double> read_latency_99;
  std::optional<double> max_read_latency;
  double time = 0;
  double bandwidth = 0;
  double bandwidth_share = 0;
  hardware::dram::Energy energy;
  double total_energy = 0;
  double energy_per_byte = 0;
};

/// A row of the table `latencies`.
struct LatencyRow {
  std::int64_t from = 0;
  std::int64_t to = 0;
  std::int64_t reads = 0;
};

/// A row of the table `intervals`.
struct IntervalRow {
  double from = 0;
  double to = 0;
  double read_bandwidth = 0;
  double write_bandwidth = 0;
};

/// The detail tables of a trace.
struct TraceTables {
  RowTable<LatencyRow> latencies{"latencies", "reads of a trace by latency"};
  RowTable<IntervalRow> intervals{"intervals", "bandwidth of a trace over time"};

  /// Declares the columns and adds the tables to a schema.
  explicit TraceTables(Schema& schema);
};

void add_axes(AxisList& axes, DramSettings& settings);
void add_metrics(ColumnList& metrics, const DramResult& result);

/// Reads a point. Throws PointError where its values do not make a channel and its traffic.
DramSettings read_settings(const AxisTable<DramSettings>& axes, const Point& point);

}  // namespace pimsweep::systems::parts
