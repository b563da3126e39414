#include "systems/allspark/outcome.h"

#include <array>

namespace pimsweep::systems::allspark {

namespace {

constexpr std::array yes_no{Word{"yes", true}, Word{"no", false}};

/// Reasons for missing values.
constexpr const char* not_on_gpu = "execution gpu";
constexpr const char* not_of_operators = "executions operators and gpu";
constexpr const char* not_ideal = "executions ideal and gpu";
constexpr const char* only_scheduled = "executions other than schedule";
constexpr const char* only_placed = "no placement of branches";

void declare_times(MetricTable<Result>& metrics) {
  const Result& r = metrics.layout();
  metrics.quantity(r.time, "time", "s", "inference time of the batch (Eq. 12)")
      .quantity(r.time_per_sample, "time_per_sample", "s", "inference time of the batch divided by the batch size")
      .quantity(r.cycles, "cycles", "cycle", "clock cycles of the batch's inference", not_on_gpu)
      .quantity(r.compute_time, "compute_time", "s", "time of GEMMs and local operators", not_on_gpu)
      .quantity(r.nonlinear_time, "nonlinear_time", "s", "time of softmax, layer norm and GELU on the ACU (t^NC)",
                not_on_gpu)
      .quantity(r.transfer_time, "transfer_time", "s", "time of feature-map transfers between nodes (T^t, Eq. 14)",
                not_on_gpu)
      .quantity(r.weight_sharing_time, "weight_sharing_time", "s",
                "time of weight sharing between nodes (T^ws, Eq. 13)", not_on_gpu)
      .quantity(r.movement_time, "movement_time", "s", "time of feature-map transfers and weight sharing together",
                not_on_gpu)
      .quantity(r.sharing_time_per_sample, "sharing_time_per_sample", "s",
                "time of weight sharing divided by the batch size", not_on_gpu)
      .quantity(r.ideal_time, "ideal_time", "s",
                "lower bound of the time: all multiply-accumulates on all PEs, nothing moved", not_on_gpu)
      .quantity(r.node_utilization, "node_utilization", "1",
                "share of the node array that is occupied, weighted by time (Eq. 16 over all stages)", not_of_operators)
      .quantity(r.pe_utilization, "pe_utilization", "1", "multiply-accumulates divided by the clock cycles of all PEs",
                not_on_gpu);
}

void declare_schedule(MetricTable<Result>& metrics) {
  const Result& r = metrics.layout();
  metrics.quantity(r.weights_stored, "weights_stored", "B", "weights stored on a node (first term of Eq. 5)", not_ideal)
      .quantity(r.workspace, "workspace", "B", "workspace on a node (second term of Eq. 5)", not_ideal)
      .quantity(r.memory_used, "memory_used", "B", "weights and workspace on a node together", not_ideal)
      .quantity(r.patch_merging_weights, "patch_merging_weights", "B",
                "weights of patch merging on a node, which Eq. (5) as printed does not count", only_scheduled)
      .quantity(r.temporal_layers, "temporal_layers", "1", "temporal layers of one encoder block, summed over stages",
                only_scheduled)
      .quantity(r.macs, "macs", "1", "multiply-accumulates of one sample; of a Transformer without the patch embedding")
      .quantity(r.sharing_group, "sharing_group", "1",
                "maximum number of sub-arrays that a weight is spread over; 1 in the paper", only_scheduled)
      .text(r.solver, "solver", "solver that found the schedule, and its proof");
}

void declare_exchanges(MetricTable<Result>& metrics) {
  const Result& r = metrics.layout();
  metrics
      .quantity(r.interaction_time, "interaction_time", "s",
                "time of data exchange between placed branches, which is not part of the inference time", only_placed)
      .quantity(r.interaction_share, "interaction_share", "1",
                "share of data exchange between branches in inference and exchange time together", only_placed)
      .quantity(r.interaction_hops, "interaction_hops", "1",
                "mean number of links crossed by a byte that branches exchange",
                "no placement, or no data exchanged between branches")
      .quantity(r.interaction_bytes, "interaction_bytes", "B", "data handed from branch to branch", only_placed)
      .quantity(r.interaction_byte_hops, "interaction_byte_hops", "B",
                "bytes times links of data exchange between branches, gathering and scattering included", only_placed);
}

void declare_energies(MetricTable<Result>& metrics) {
  const Result& r = metrics.layout();
  metrics
      .quantity(r.noc_byte_hops, "noc_byte_hops", "B", "bytes times links of feature-map transfers and weight sharing",
                not_ideal)
      .quantity(r.dram_bytes, "dram_bytes", "B", "DRAM reads and writes of GEMMs and at both ends of transfers",
                not_ideal)
      .quantity(r.sram_energy, "sram_energy", "J", "energy of buffers, weight registers and accumulators in GEMMs",
                not_ideal)
      .quantity(r.energy, "energy", "J",
                "energy of multiply-accumulates, SRAM, DRAM and network, or of the GPU with idle power",
                "execution ideal")
      .quantity(r.energy_per_sample, "energy_per_sample", "J", "energy of the batch divided by the batch size",
                "execution ideal")
      .quantity(r.formula_deviation, "formula_deviation", "1",
                "relative deviation of the time by formula from the simulated time (fidelity cycle)",
                "fidelity analytic")
      .text(r.caveat, "caveat", "limits of the result; empty if there are none");
}

void declare_stages(RowTable<StageRow>& table) {
  const StageRow& r = table.layout();
  table.count(r.stage, "stage", "number of the stage, from 1")
      .count(r.channels, "channels", "channels of the stage (C)")
      .count(r.heads, "heads", "attention heads of the stage (h)")
      .count(r.blocks, "blocks", "encoder blocks of the stage")
      .quantity(r.block_weights, "block_weights", "1", "mean matrix weights of a block divided by C^2")
      .count(r.branches, "branches", "computational branches of a block")
      .count(r.temporal_layers, "temporal_layers", "temporal layers of a block")
      .text(r.schemes, "schemes", "temporal layers as head split x patch split")
      .choice(r.weights_reused, "weights_reused", yes_no,
              "reuse: yes if a layer works with weights that another layer stores")
      .quantity(r.weights, "weights", "B", "weights of the stage on a node")
      .quantity(r.workspace, "workspace", "B", "workspace of the stage on a node")
      .quantity(r.node_utilization, "node_utilization", "1",
                "share of the node array that is occupied, weighted by time (Eq. 16)")
      .quantity(r.time, "time", "s", "time of all blocks of the stage for the batch");
}

void declare_layers(RowTable<LayerRow>& table) {
  const LayerRow& r = table.layout();
  table.count(r.stage, "stage", "number of the stage, from 1")
      .count(r.layer, "layer", "number of the temporal layer, from 1")
      .text(r.scheme, "scheme", "head split x patch split of the layer")
      .count(r.head_split, "head_split", "groups of heads of a branch")
      .count(r.patch_split, "patch_split", "groups of patches of a branch")
      .count(r.branches, "branches", "branches in the layer")
      .count(r.capacity, "capacity", "branches that fit into the layer (Algorithm 1)")
      .count(r.nodes_occupied, "nodes_occupied", "active nodes of the layer")
      .quantity(r.time, "time", "s", "time of the layer in all blocks of the stage for the batch")
      .quantity(r.compute_time, "compute_time", "s", "time of the layer's GEMMs and local operators")
      .quantity(r.nonlinear_time, "nonlinear_time", "s", "time of the layer's nonlinear operators")
      .quantity(r.transfer_time, "transfer_time", "s", "time of the layer's feature-map transfers")
      .quantity(r.weight_sharing_time, "weight_sharing_time", "s", "time of the layer's weight sharing");
}

void declare_interactions(RowTable<InteractionRow>& table) {
  const InteractionRow& r = table.layout();
  table.count(r.stage, "stage", "number of the stage, from 1")
      .text(r.kind, "kind", "kind of encoder blocks")
      .count(r.branches, "branches", "branches of a block")
      .count(r.dependences, "dependences", "pairs of branches in which one sends data to the other")
      .count(r.times, "times", "exchanges of one sample in all blocks of the stage")
      .quantity(r.hops, "hops", "1", "mean number of links that a byte crosses")
      .quantity(r.hops_of_dependence, "hops_of_dependence", "1",
                "mean number of links between dependent branches, whatever the bytes exchanged")
      .quantity(r.bytes, "bytes", "B", "data handed over in one exchange")
      .quantity(r.byte_hops, "byte_hops", "B", "bytes times links of one exchange, gathering and scattering included")
      .quantity(r.handover_byte_hops, "handover_byte_hops", "B",
                "bytes times links of one exchange from upper left node to upper left node")
      .quantity(r.busiest_link, "busiest_link", "B", "data on the busiest link in one exchange")
      .quantity(r.cycles, "cycles", "cycle", "clock cycles of one exchange")
      .quantity(r.time, "time", "s", "time of all exchanges of the stage for the batch")
      .quantity(r.ideal_share, "ideal_share", "1",
                "estimate of Sec. IV: time of a feature map on one link over the branch's computation on one node");
}

void declare_places(RowTable<PlaceRow>& table) {
  const PlaceRow& r = table.layout();
  table.count(r.stage, "stage", "number of the stage, from 1")
      .text(r.kind, "kind", "kind of encoder blocks")
      .count(r.branch, "branch", "number of the branch, row by row over the feature map, from 1")
      .count(r.layer, "layer", "number of the temporal layer, from 1")
      .count(r.node_row, "node_row", "row of the sub-array's upper left node, from 0")
      .count(r.node_col, "node_col", "column of the sub-array's upper left node, from 0")
      .count(r.height, "height", "rows of nodes in the branch's sub-array")
      .count(r.width, "width", "columns of nodes in the branch's sub-array");
}

void declare_timeline(RowTable<TimelineRow>& table) {
  const TimelineRow& r = table.layout();
  table.count(r.stage, "stage", "number of the stage, from 1")
      .count(r.layer, "layer", "number of the temporal layer, from 1")
      .text(r.group, "group", "schedule, or the units of the node array")
      .in_timeline(TimelineRole::group)
      .text(r.lane, "lane", "temporal layers, or a kind of unit of all active nodes")
      .in_timeline(TimelineRole::lane)
      .text(r.name, "name", "temporal layer of a block, or phase of one")
      .in_timeline(TimelineRole::name)
      .quantity(r.start, "start", "s", "start of the interval, from the start of the batch")
      .in_timeline(TimelineRole::start)
      .quantity(r.end, "end", "s", "end of the interval, from the start of the batch")
      .in_timeline(TimelineRole::end)
      .count(r.nodes, "nodes", "active nodes of the phase")
      .in_timeline(TimelineRole::held)
      .quantity(r.bytes, "bytes", "B", "bytes that all active nodes receive over links")
      .in_timeline(TimelineRole::moved);
}

}  // namespace

OutcomeTables::OutcomeTables(Schema& schema)
    : stages("stages", "stages of the model, one row each"),
      layers("layers", "temporal layers, one row each, with times for all blocks of the stage and the batch"),
      interactions("interactions", "kinds of blocks whose branches exchange data, with one exchange of one sample"),
      places("places", "placed branches, one row each"),
      timeline("timeline", "temporal layers of each block and their phases, one row each, if recorded") {
  declare_times(metrics);
  declare_schedule(metrics);
  declare_exchanges(metrics);
  declare_energies(metrics);
  devices::add_silicon_metrics(metrics, metrics.layout().silicon,
                               "PE arrays, nonlinear units, buffers, routers and DRAM",
                               "executions operators and gpu, or no silicon in the hardware file");
  schema.metrics = metrics.columns();
  declare_stages(stages);
  declare_layers(layers);
  declare_interactions(interactions);
  declare_places(places);
  declare_timeline(timeline);
  stages.attach(schema);
  layers.attach(schema);
  interactions.attach(schema);
  places.attach(schema);
  timeline.attach(schema);
}

}  // namespace pimsweep::systems::allspark
