#include "systems/allspark/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>

#include "base/error.h"
#include "hardware/dram/rules.h"
#include "hardware/noc/router/router_settings.h"
#include "systems/allspark/gpu_run.h"
#include "systems/allspark/placement/placement_method.h"
#include "systems/allspark/policy.h"
#include "systems/axes.h"
#include "systems/policy_list.h"
#include "systems/silicon_axes.h"

namespace pimsweep::systems::allspark {

namespace {

constexpr double max_side = 4096;
/// A mesh's routers have five ports.
constexpr unsigned max_virtual_channels = hardware::noc::router::max_router_channels / 5;

std::vector<Axis> make_axes(const std::vector<std::string>& models) {
  std::vector<std::string> placements{"none"};
  for (const placement::PlacementMethod& method : placement::placement_methods()) placements.emplace_back(method.name);
  const auto hardware_count = [](const std::string& key, double max, std::string doc) {
    return count_axis("hardware." + key, std::nullopt, 1, max, std::move(doc));
  };
  std::vector<Axis> axes{
      text_axis("model", std::nullopt, models,
                "one of configs/models: a visual Transformer or BERT; policy operators takes any network"),
      count_axis("image_px", Value{std::int64_t{0}}, 0, 8192,
                 "side of the square input image in pixels, or tokens of a language model; 0: the model's own"),
      text_axis("policy", std::nullopt, policy_names(policies()), "how branches are partitioned and scheduled"),
      count_axis("batch", Value{std::int64_t{1}}, 1, 65536, "images processed together (N_bt of Eq. 12)"),
      text_axis(
          "fidelity", Value{std::string("analytic")}, {"analytic", "cycle"},
          "closed-form costs (Eq. 12-15); cycle: all transfers on the routers, all DRAM accesses on the banks' timing"),
      text_axis("rates", Value{std::string("sustained")}, {"sustained", "peak"},
                "what formulas take DRAM and links to move: what streams sustain with row misses, refresh and shared "
                "links; or the peak, as Eq. (13) and (14) are printed"),
      text_axis("placement", Value{std::string("none")}, placements,
                "how branches are bound to nodes; none: interactions between branches are left out (Sec. VII)"),
      text_axis("interaction_route", Value{std::string("corner")}, {"corner", "direct"},
                "interactions gather data in the upper left node of a sub-array and scatter it (Sec. VII-B2), or every "
                "node sends its share"),
      count_axis(
          "interaction_flit_hops", Value{std::int64_t{1'000'000'000'000}}, 1, 1e15,
          "fidelity cycle: of an interaction with more flits x routers a part is simulated and continued by formula"),
      count_axis("placement_seed", Value{std::int64_t{1}}, 0, 1e15, "seed of placements with random numbers"),
      flag_axis("weight_sharing", true, "nodes of a patch split store a part of their common weights each (Sec. VI-C)"),
      flag_axis("weight_reuse", true, "temporal layers of a stage use one another's weights (Sec. VI-C)"),
      text_axis(
          "schedule", Value{std::string()}, {},
          "for policy manual: temporal layers as head split x patch split, *n for n of them, stages separated by |"),
      quantity_axis("ilp_time_limit", "s", 0.001, 1e6, "for policy allspark-ilp: when CBC has to stop"),
  };
  axes.back().default_value = Value{60.0};
  const std::vector<Axis> hardware{
      hardware_count("node_array.rows", max_side, "rows of PIM nodes (H_A)"),
      hardware_count("node_array.cols", max_side, "columns of PIM nodes (W_A)"),
      hardware_count("pe_array.rows", 1024, "rows of a node's PE array: the reduction is spread over them"),
      hardware_count("pe_array.cols", 1024, "columns of a node's PE array: output channels are spread over them"),
      quantity_axis("hardware.clock", "Hz", 1e3, 1e12, "clock of the logic die"),
      quantity_axis("hardware.data.word", "B", 0.125, 64, "size of a weight or activation"),
      quantity_axis("hardware.sram.buffer", "B", 1, 1e12, "SRAM buffers of a node, together"),
      quantity_axis("hardware.dram.bank_capacity", "B", 1, 1e15, "capacity of a DRAM bank"),
      hardware_count("dram.banks_per_node", 1024, "DRAM banks of a node; capacity and bandwidth add up"),
      quantity_axis("hardware.dram.bank_bandwidth", "B/s", 1, 1e18,
                    "bandwidth of a DRAM bank, reads and writes together"),
      quantity_axis("hardware.dram.row", "B", 1, 1e9, "row of a bank"),
      quantity_axis("hardware.dram.tRCD", "s", 0, 1e-3, "activation to read or write"),
      quantity_axis("hardware.dram.tRP", "s", 0, 1e-3, "precharge to activation"),
      quantity_axis("hardware.dram.tRAS", "s", 0, 1e-3, "activation to precharge"),
      quantity_axis("hardware.dram.tRFC", "s", 0, 1e-3, "time of a refresh"),
      quantity_axis("hardware.dram.tREFI", "s", 1e-9, 1, "between two refreshes"),
      quantity_axis("hardware.dram.tCL", "s", 0, 1e-3, "read to its data"),
      quantity_axis("hardware.dram.tCWL", "s", 0, 1e-3, "write to its data"),
      quantity_axis("hardware.dram.tWR", "s", 0, 1e-3, "end of written data to precharge"),
      quantity_axis("hardware.dram.tRTP", "s", 0, 1e-3, "read to precharge"),
      quantity_axis("hardware.dram.tWTR", "s", 0, 1e-3, "end of written data to read"),
      quantity_axis("hardware.noc.link_bandwidth", "B/s", 1, 1e18, "bandwidth of a mesh link in one direction (BW)"),
      hardware_count("noc.virtual_channels", max_virtual_channels, "virtual channels of a router's input"),
      hardware_count("noc.buffer", hardware::noc::router::max_buffer_size,
                     "flits that a virtual channel's buffer holds"),
      hardware_count("noc.packet", 4096, "flits of a packet, at most"),
      quantity_axis("hardware.noc.energy", "J/B", 0, 1, "energy to move data over one link and router"),
      quantity_axis("hardware.dram.energy", "J/B", 0, 1, "energy of a DRAM read or write"),
      quantity_axis("hardware.pe_array.mac_energy", "J", 0, 1, "energy of a multiply-accumulate"),
      quantity_axis("hardware.pe_array.register_energy", "J", 0, 1, "energy of an access of a PE's weight register"),
      quantity_axis("hardware.pe_array.accumulator_energy", "J", 0, 1,
                    "energy of an access of a column's accumulators"),
      hardware_count("pe_array.accumulators", 65536, "sums that a column's accumulators hold"),
      quantity_axis("hardware.sram.energy", "J/B", 0, 1, "energy of reading or writing the buffer"),
      text_axis("hardware.noc.transfer", std::nullopt, {"store-and-forward", "pipelined"},
                "whether DRAM read, link and DRAM write of a transfer add up or overlap"),
      hardware_count("acu.lanes", 65536, "values that the nonlinear unit takes in a cycle"),
      hardware_count("acu.softmax_passes", 64, "passes over the scores in a softmax"),
      hardware_count("acu.layernorm_passes", 64, "passes over the features in a layer norm"),
      hardware_count("acu.gelu_passes", 64, "passes over the features in a GELU"),
      hardware_count("partition.min_patch_chunk", 65536, "fewest patches that are given to a node (p_min, Sec. VI-A)"),
  };
  axes.insert(axes.end(), hardware.begin(), hardware.end());
  GpuRun::append_axes(axes);
  return axes;
}

std::vector<Metric> make_metrics() {
  return {
      {"latency", "s", "inference time of the batch (Eq. 12)"},
      {"time_per_image", "s", "latency divided by the batch"},
      {"cycles", "1", "latency in clock cycles"},
      {"compute_time", "s", "time of matrix products and local operators"},
      {"nonlinear_time", "s", "time of softmax, layer norm and GELU on the ACU (t^NC)"},
      {"transfer_time", "s", "time of feature-map transfers (T^t, Eq. 14)"},
      {"weight_sharing_time", "s", "time of weight sharing (T^ws, Eq. 13)"},
      {"movement_time", "s", "transfer_time + weight_sharing_time"},
      {"sharing_time_per_image", "s", "weight_sharing_time divided by the batch"},
      {"ideal_latency", "s", "speed of light: all multiply-accumulates on all PEs, nothing moved"},
      {"node_utilization", "1", "share of the node array that is occupied, weighted by time (Eq. 16 over all stages)"},
      {"pe_utilization", "1", "multiply-accumulates divided by cycles of all PEs"},
      {"weights_stored", "B", "weights on a node (first term of Eq. 5)"},
      {"workspace", "B", "workspace on a node (second term of Eq. 5)"},
      {"memory_used", "B", "weights_stored + workspace"},
      {"patch_merging_weights", "B", "weights of patch merging on a node, which Eq. (5) as printed does not count"},
      {"temporal_layers", "1", "temporal layers of one block, summed over stages"},
      {"macs", "1", "multiply-accumulates of the stages for one image, without the patch embedding"},
      {"sharing_group", "1", "sub-arrays over which a weight is spread, the most of any stage; 1 as in the paper"},
      {"solver", "1", "which solver answered and what it proved", ValueType::text},
      {"interaction_time", "s",
       "time of data exchange between placed branches, no part of the latency; missing without placement"},
      {"interaction_share", "1", "interaction_time / (latency + interaction_time)"},
      {"interaction_hops", "1", "links that a byte handed from branch to branch crosses, on average"},
      {"interaction_bytes", "B", "data handed from branch to branch"},
      {"interaction_byte_hops", "B", "bytes x links of interactions, gathering and scattering included"},
      {"noc_byte_hops", "B", "bytes x links of feature-map transfers and weight sharing"},
      {"dram_bytes", "B", "DRAM reads and writes of matrix products and at both ends of transfers"},
      {"sram_energy", "J", "of buffers, registers and accumulators in matrix products"},
      {"energy", "J",
       "of multiply-accumulates, sram_energy, dram_bytes and noc_byte_hops; policy gpu: of the card, its idle power "
       "included"},
      {"energy_per_image", "J", "energy divided by the batch"},
      {"formula_deviation", "1", "fidelity cycle: |latency by formula / latency - 1|; missing in other points"},
      {"caveat", "1", "what to know about this result; empty if nothing", ValueType::text},
  };
}

std::vector<Table> make_tables() {
  const ValueType integer = ValueType::integer;
  const ValueType text = ValueType::text;
  Table stages{"stages",
               "one row for each stage",
               {
                   {"stage", "1", "stage, from 1", integer},
                   {"channels", "1", "width C", integer},
                   {"heads", "1", "attention heads h", integer},
                   {"blocks", "1", "encoder blocks", integer},
                   {"block_weights", "1", "matrix weights of a block over C^2, on average over the stage's blocks"},
                   {"branches", "1", "computational branches of a block", integer},
                   {"temporal_layers", "1", "temporal layers of a block", integer},
                   {"schemes", "1", "layers as head split x patch split", text},
                   {"weights_reused", "1", "yes if a layer works with weights that another one stores, else no", text},
                   {"weights", "B", "weights of the stage on a node"},
                   {"workspace", "B", "workspace of the stage on a node"},
                   {"node_utilization", "1", "Eq. (16)"},
                   {"latency", "s", "time of all blocks of the stage for the batch"},
               }};
  Table layers{"layers",
               "one row for each temporal layer; times are for all blocks of the stage and the batch",
               {
                   {"stage", "1", "stage, from 1", integer},
                   {"layer", "1", "temporal layer, from 1", integer},
                   {"scheme", "1", "head split x patch split", text},
                   {"head_split", "1", "groups of heads of a branch", integer},
                   {"patch_split", "1", "groups of patches of a branch", integer},
                   {"branches", "1", "branches in the layer", integer},
                   {"capacity", "1", "branches that fit (Algorithm 1)", integer},
                   {"nodes_occupied", "1", "nodes at work", integer},
                   {"latency", "s", "time of the layer"},
                   {"compute_time", "s", "its matrix products and local operators"},
                   {"nonlinear_time", "s", "its nonlinear operators"},
                   {"transfer_time", "s", "its feature-map transfers"},
                   {"weight_sharing_time", "s", "its weight sharing"},
               }};
  Table interactions{
      "interactions",
      "one row for each kind of blocks whose branches exchange data; one exchange of one image",
      {
          {"stage", "1", "stage, from 1", integer},
          {"kind", "1", "kind of blocks", text},
          {"branches", "1", "branches of a block", integer},
          {"dependences", "1", "pairs of branches, one of which hands data to the other", integer},
          {"times", "1", "exchanges in all blocks of the stage", integer},
          {"hops", "1", "links that a byte crosses, on average"},
          {"hops_of_dependence", "1", "the same, every dependence alike whatever its bytes"},
          {"bytes", "B", "data handed over"},
          {"byte_hops", "B", "bytes x links, gathering and scattering included"},
          {"handover_byte_hops", "B", "bytes x links from upper left node to upper left node"},
          {"busiest_link", "B", "data on the busiest link"},
          {"cycles", "1", "clock cycles of one exchange"},
          {"time", "s", "time of all exchanges of the stage for the batch"},
          {"ideal_share", "1",
           "estimate of Sec. IV: a feature map over one link, over its branch's computation on one node"},
      }};
  Table places{"places",
               "one row for each placed branch",
               {
                   {"stage", "1", "stage, from 1", integer},
                   {"kind", "1", "kind of blocks", text},
                   {"branch", "1", "branch, row by row over the map, from 1", integer},
                   {"layer", "1", "temporal layer, from 1", integer},
                   {"node_row", "1", "row of its upper left node, from 0", integer},
                   {"node_col", "1", "column of its upper left node, from 0", integer},
                   {"height", "1", "rows of its sub-array", integer},
                   {"width", "1", "columns of its sub-array", integer},
               }};
  return {std::move(stages), std::move(layers), std::move(interactions), std::move(places)};
}

}  // namespace

Schema make_schema(const std::vector<std::string>& models) {
  Schema schema;
  schema.name = "allspark";
  schema.doc =
      "Allspark: visual Transformers on a DRAM PIM-node array, partitioned into branches and scheduled layer by layer";
  schema.version = 1;
  schema.axes = make_axes(models);
  schema.metrics = make_metrics();
  append_silicon_axes(schema.axes);
  append_silicon_metrics(schema.metrics,
                         "PE arrays, nonlinear units, buffers, routers and DRAM; missing for policy gpu");
  schema.tables = make_tables();
  return schema;
}

PointReader::PointReader(const Schema& schema) {
  const auto find = [&](std::string_view name) { return axis_at(schema, name); };
  model_ = find("model");
  image_px_ = find("image_px");
  policy_ = find("policy");
  batch_ = find("batch");
  weight_sharing_ = find("weight_sharing");
  weight_reuse_ = find("weight_reuse");
  schedule_ = find("schedule");
  ilp_time_limit_ = find("ilp_time_limit");
  fidelity_ = find("fidelity");
  rates_ = find("rates");
  placement_ = find("placement");
  interaction_route_ = find("interaction_route");
  placement_seed_ = find("placement_seed");
  interaction_flit_hops_ = find("interaction_flit_hops");
  virtual_channels_ = find("hardware.noc.virtual_channels");
  router_buffer_ = find("hardware.noc.buffer");
  packet_ = find("hardware.noc.packet");
  noc_energy_ = find("hardware.noc.energy");
  dram_energy_ = find("hardware.dram.energy");
  mac_energy_ = find("hardware.pe_array.mac_energy");
  register_energy_ = find("hardware.pe_array.register_energy");
  accumulator_energy_ = find("hardware.pe_array.accumulator_energy");
  accumulators_ = find("hardware.pe_array.accumulators");
  sram_energy_ = find("hardware.sram.energy");
  node_rows_ = find("hardware.node_array.rows");
  node_cols_ = find("hardware.node_array.cols");
  pe_rows_ = find("hardware.pe_array.rows");
  pe_cols_ = find("hardware.pe_array.cols");
  clock_ = find("hardware.clock");
  word_ = find("hardware.data.word");
  buffer_ = find("hardware.sram.buffer");
  bank_capacity_ = find("hardware.dram.bank_capacity");
  banks_ = find("hardware.dram.banks_per_node");
  bank_bandwidth_ = find("hardware.dram.bank_bandwidth");
  row_ = find("hardware.dram.row");
  tRCD_ = find("hardware.dram.tRCD");
  tRP_ = find("hardware.dram.tRP");
  tRAS_ = find("hardware.dram.tRAS");
  tRFC_ = find("hardware.dram.tRFC");
  tREFI_ = find("hardware.dram.tREFI");
  tCL_ = find("hardware.dram.tCL");
  tCWL_ = find("hardware.dram.tCWL");
  tWR_ = find("hardware.dram.tWR");
  tRTP_ = find("hardware.dram.tRTP");
  tWTR_ = find("hardware.dram.tWTR");
  link_bandwidth_ = find("hardware.noc.link_bandwidth");
  transfer_ = find("hardware.noc.transfer");
  acu_lanes_ = find("hardware.acu.lanes");
  softmax_passes_ = find("hardware.acu.softmax_passes");
  layernorm_passes_ = find("hardware.acu.layernorm_passes");
  gelu_passes_ = find("hardware.acu.gelu_passes");
  min_patch_chunk_ = find("hardware.partition.min_patch_chunk");
}

Machine PointReader::machine(const Point& point) const {
  Machine machine;
  machine.node_rows = point.integer(node_rows_);
  machine.node_cols = point.integer(node_cols_);
  machine.clock = point.real(clock_);
  machine.word_bytes = point.real(word_);
  const double banks = point.real(banks_);
  const double dram_bytes_per_cycle = banks * point.real(bank_bandwidth_) / machine.clock;
  const double link_bytes_per_cycle = point.real(link_bandwidth_) / machine.clock;
  machine.accumulator_rows = point.integer(accumulators_);
  machine.pe_array.rows = point.integer(pe_rows_);
  machine.pe_array.cols = point.integer(pe_cols_);
  machine.pe_array.buffer_words = static_cast<std::int64_t>(std::floor(point.real(buffer_) / machine.word_bytes));
  machine.pe_array.dram_words_per_cycle = dram_bytes_per_cycle / machine.word_bytes;
  machine.node_bytes = static_cast<std::int64_t>(std::floor(banks * point.real(bank_capacity_)));
  // A chunk is read from the sender's DRAM, crosses a link and is written to the receiver's.
  const double on_link = 1 / link_bytes_per_cycle;
  const double in_dram = 2 / dram_bytes_per_cycle;
  machine.transfer_cycles_per_byte =
      point.text(transfer_) == "pipelined" ? std::max(on_link, in_dram) : on_link + in_dram;
  if (point.text(rates_) == "sustained") machine.sustained = sustained_settings(point);
  machine.acu_lanes = point.integer(acu_lanes_);
  machine.softmax_passes = point.integer(softmax_passes_);
  machine.layernorm_passes = point.integer(layernorm_passes_);
  machine.gelu_passes = point.integer(gelu_passes_);
  machine.min_patch_chunk = point.integer(min_patch_chunk_);
  if (machine.pe_array.buffer_words < machine.pe_array.least_buffer_words()) {
    throw PointError(fmt::format("hardware.sram.buffer holds {} words; a {} x {} PE array needs at least {}",
                                 machine.pe_array.buffer_words, machine.pe_array.rows, machine.pe_array.cols,
                                 machine.pe_array.least_buffer_words()));
  }
  return machine;
}

placement::PlacementOptions PointReader::placement(const Point& point) const {
  placement::PlacementOptions options;
  options.method = point.text(placement_);
  options.seed = static_cast<std::uint64_t>(point.integer(placement_seed_));
  options.route = point.text(interaction_route_) == "direct" ? placement::InteractionRoute::direct
                                                             : placement::InteractionRoute::corner;
  options.simulate = point.text(fidelity_) == "cycle";
  options.max_flit_hops = static_cast<double>(point.integer(interaction_flit_hops_));
  if (options.method == "none" && !options.simulate) return options;
  // The network of routers is square (docs/noc.md).
  constexpr std::int64_t max_side_of_mesh = 64;
  static_assert(max_side_of_mesh * max_side_of_mesh == hardware::noc::router::max_nodes);
  const std::int64_t side = std::max(point.integer(node_rows_), point.integer(node_cols_));
  if (side > max_side_of_mesh) {
    throw PointError(fmt::format("the node array has {} rows or columns; on the routers at most {} are allowed", side,
                                 max_side_of_mesh));
  }
  const double flit = point.real(link_bandwidth_) / point.real(clock_);
  if (flit < 1 || flit > 65536) {
    throw PointError(fmt::format("a link carries {} bytes in a cycle; on the routers 1 to 65536 are allowed", flit));
  }
  options.format.flit_bytes = static_cast<std::uint32_t>(flit);
  options.format.max_flits = static_cast<std::uint32_t>(point.integer(packet_));
  // A branch's partners all wait for it; served one after another, many nodes would send to the same one at a time.
  options.format.in_turn = true;
  options.router.virtual_channels = static_cast<unsigned>(point.integer(virtual_channels_));
  options.router.buffer_size = static_cast<unsigned>(point.integer(router_buffer_));
  return options;
}

hardware::dram::Dram PointReader::bank(const Point& point) const {
  const double clock = point.real(clock_);
  // Seconds in whole clocks; what a file gives as 20 ns is no more than 8 clocks of 2.5 ns.
  constexpr double rounding = 1e-9;
  const auto clocks = [&](std::size_t axis) {
    return static_cast<std::int64_t>(std::ceil(point.real(axis) * clock - rounding));
  };
  hardware::dram::Dram bank;
  bank.standard = hardware::dram::Standard::ddr4;
  bank.tCK = 1 / clock;
  hardware::dram::Timing& timing = bank.timing;
  timing.nBL = timing.nCCDS = timing.nCCDL = 1;
  timing.nRCDRD = timing.nRCDWR = clocks(tRCD_);
  timing.nRP = clocks(tRP_);
  timing.nRAS = clocks(tRAS_);
  timing.nRC = timing.nRAS + timing.nRP;
  timing.nRFC = clocks(tRFC_);
  timing.nREFI = static_cast<std::int64_t>(std::floor(point.real(tREFI_) * clock + rounding));
  timing.nCL = clocks(tCL_);
  timing.nCWL = clocks(tCWL_);
  timing.nWR = clocks(tWR_);
  timing.nRTP = clocks(tRTP_);
  timing.nWTRS = timing.nWTRL = clocks(tWTR_);
  if (const std::int64_t least = hardware::dram::Rules(bank).refresh_blocks(); timing.nREFI <= least) {
    throw PointError(
        fmt::format("hardware.dram.tREFI is {} clocks, a refresh blocks the bank for {} "
                    "(rates = \"peak\" with fidelity = \"analytic\" has no refresh)",
                    timing.nREFI, least));
  }
  return bank;
}

cycle::SustainedSettings PointReader::sustained_settings(const Point& point) const {
  const double clock = point.real(clock_);
  const double access = point.real(bank_bandwidth_) / clock;
  cycle::SustainedSettings settings;
  settings.bank = bank(point);
  settings.bank.organization.columns = static_cast<std::int64_t>(std::max(1.0, std::round(point.real(row_) / access)));
  settings.access_bytes = access * point.real(banks_);
  settings.word_bytes = point.real(word_);
  settings.flit_bytes = point.real(link_bandwidth_) / clock;
  settings.packet_flits = point.integer(packet_);
  settings.router.virtual_channels = static_cast<unsigned>(point.integer(virtual_channels_));
  settings.router.buffer_size = static_cast<unsigned>(point.integer(router_buffer_));
  settings.node_rows = point.integer(node_rows_);
  settings.node_cols = point.integer(node_cols_);
  settings.pipelined = point.text(transfer_) == "pipelined";
  return settings;
}

cycle::CycleSettings PointReader::cycle_settings(const Point& point) const {
  const placement::PlacementOptions network = placement(point);
  cycle::CycleSettings settings;
  settings.banks = point.integer(banks_);
  settings.word_bytes = point.real(word_);
  settings.nodes = {point.integer(node_rows_), point.integer(node_cols_), network.router, network.format};
  // Chunks of a ring follow one another.
  settings.nodes.format.in_turn = false;
  settings.pipelined = point.text(transfer_) == "pipelined";

  settings.bank = bank(point);
  hardware::dram::Dram& bank = settings.bank;
  const auto power_of_two = [](double value) {
    return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(std::max(1.0, value))));
  };
  const double access = point.real(bank_bandwidth_) / point.real(clock_);
  const double columns = point.real(row_) / access;
  if (access < 1 || access != std::floor(access) || columns != static_cast<double>(power_of_two(columns))) {
    throw PointError(
        fmt::format("fidelity cycle: an access is {} B (hardware.dram.bank_bandwidth by hardware.clock) and "
                    "hardware.dram.row holds {} of them; whole bytes and a power of two are allowed",
                    access, columns));
  }
  bank.organization.access_bytes = static_cast<std::int64_t>(access);
  bank.organization.columns = static_cast<std::int64_t>(columns);
  // Only the rows that a stream comes back to, which all other streams go on from, depend on their number.
  bank.organization.rows = power_of_two(point.real(bank_capacity_) / point.real(row_));
  return settings;
}

hardware::silicon::Parts PointReader::parts(const Point& point) const {
  const double nodes = point.real(node_rows_) * point.real(node_cols_);
  hardware::silicon::Parts parts;
  parts.units = nodes * point.real(pe_rows_) * point.real(pe_cols_);
  parts.lanes = nodes * point.real(acu_lanes_);
  parts.sram_bytes = nodes * point.real(buffer_);
  parts.link_bytes = nodes * point.real(link_bandwidth_) / point.real(clock_);
  parts.dram_bytes = nodes * point.real(banks_) * point.real(bank_capacity_);
  return parts;
}

EnergyCosts PointReader::energy(const Point& point) const {
  return {point.real(mac_energy_),  point.real(register_energy_), point.real(accumulator_energy_),
          point.real(sram_energy_), point.real(dram_energy_),     point.real(noc_energy_)};
}

}  // namespace pimsweep::systems::allspark
