#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "systems/column_table.h"
#include "systems/devices/silicon_axes.h"

namespace pimsweep::systems::allspark {

/// The metrics of a point in SI units; missing ones are empty.
struct Result {
  using Number = std::optional<double>;
  double time = no_number, time_per_sample = no_number, macs = no_number;
  Number cycles;
  Number compute_time, nonlinear_time, transfer_time, weight_sharing_time, movement_time, sharing_time_per_sample;
  Number ideal_time;
  Number node_utilization, pe_utilization;
  Number weights_stored, workspace, memory_used, patch_merging_weights;
  Number temporal_layers, sharing_group;
  std::string solver;
  Number interaction_time, interaction_share, interaction_hops, interaction_bytes, interaction_byte_hops;
  Number noc_byte_hops, dram_bytes, sram_energy, energy, energy_per_sample;
  Number formula_deviation;
  std::string caveat;
  devices::SiliconEstimate silicon;
};

/// A stage of the model; numbers count from 1.
struct StageRow {
  std::size_t stage = 0;
  std::int64_t channels = 0, heads = 0, blocks = 0;
  double block_weights = 0;
  std::int64_t branches = 0;
  std::size_t temporal_layers = 0;
  std::string schemes;
  bool weights_reused = false;
  double weights = 0, workspace = 0, node_utilization = 0, time = 0;
};

/// A temporal layer; numbers count from 1.
struct LayerRow {
  std::size_t stage = 0, layer = 0;
  std::string scheme;
  std::int64_t head_split = 0, patch_split = 0, branches = 0, capacity = 0, nodes_occupied = 0;
  double time = 0, compute_time = 0, nonlinear_time = 0, transfer_time = 0, weight_sharing_time = 0;
};

/// Blocks of one kind in a stage, and the data that their branches exchange.
struct InteractionRow {
  std::size_t stage = 0;
  std::string_view kind;
  std::size_t branches = 0;
  std::int64_t dependences = 0, times = 0;
  double hops = 0, hops_of_dependence = 0;
  double bytes = 0, byte_hops = 0, handover_byte_hops = 0, busiest_link = 0;
  double cycles = 0, time = 0, ideal_share = 0;
};

/// A placed branch. Stage, branch and layer count from 1; rows and columns of nodes from 0.
struct PlaceRow {
  std::size_t stage = 0;
  std::string_view kind;
  std::size_t branch = 0, layer = 0;
  std::int64_t node_row = 0, node_col = 0, height = 0, width = 0;
};

/// An interval in which a unit of the node array works, or the temporal layer whose phases these are.
struct TimelineRow {
  std::size_t stage = 0, layer = 0;
  std::string_view group, lane;
  std::string name;
  double start = 0, end = 0;
  std::int64_t nodes = 0;
  double bytes = 0;
};

/// The metrics and detail tables of the system "allspark".
class OutcomeTables {
 public:
  /// Adds all of them to the schema.
  explicit OutcomeTables(Schema& schema);

  MetricTable<Result> metrics;
  RowTable<StageRow> stages;
  RowTable<LayerRow> layers;
  RowTable<InteractionRow> interactions;
  RowTable<PlaceRow> places;
  RowTable<TimelineRow> timeline;
};

}  // namespace pimsweep::systems::allspark
