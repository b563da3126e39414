#include "hardware/noc/router/router_settings.h"
#include "systems/devices/silicon_axes.h"
#include "systems/hypar/policy.h"
#include "systems/hypar/settings.h"
#include "systems/timeline.h"

namespace pimsweep::systems::hypar {

namespace {

constexpr Words<Task, 2> task_words{{{"training", Task::training}, {"inference", Task::inference}}};
constexpr Words<Objective, 2> objective_words{{{"bytes", Objective::bytes}, {"time", Objective::time}}};
constexpr Words<Topology, 2> topology_words{{{"h-tree", Topology::h_tree}, {"torus", Topology::torus}}};
constexpr Words<BandwidthScaling, 2> scaling_words{
    {{"total", BandwidthScaling::total}, {"link", BandwidthScaling::link}}};
constexpr Words<Fidelity, 3> fidelity_words{
    {{"analytic", Fidelity::analytic}, {"event", Fidelity::event}, {"cycle", Fidelity::cycle}}};
constexpr Words<ComputeModel, 2> compute_model_words{
    {{"throughput", ComputeModel::throughput}, {"row-stationary", ComputeModel::row_stationary}}};
constexpr Words<MacCount, 2> mac_count_words{
    {{"output-size", MacCount::output_size}, {"input-size", MacCount::input_size}}};
constexpr Words<FeatureMaps, 4> feature_maps_words{{{"pooled", FeatureMaps::pooled},
                                                    {"product", FeatureMaps::product},
                                                    {"input-size", FeatureMaps::input_size},
                                                    {"unstrided", FeatureMaps::unstrided}}};
constexpr Words<ConvertedMaps, 2> converted_maps_words{
    {{"as-features", ConvertedMaps::as_features}, {"pooled", ConvertedMaps::pooled}}};
constexpr Words<PartialSumCount, 4> partial_sum_count_words{{{"twice", PartialSumCount::twice},
                                                             {"once", PartialSumCount::once},
                                                             {"by-kind", PartialSumCount::by_kind},
                                                             {"by-kind-reversed", PartialSumCount::by_kind_reversed}}};
/// Count of an exchange: for each of the two accelerators of a pair, or once.
constexpr Words<double, 2> count_words{{{"twice", 2}, {"once", 1}}};
/// Count of one line of Table 2.
constexpr Words<double, 4> line_count_words{{{"as-conversions", -1}, {"twice", 2}, {"once", 1}, {"never", 0}}};
constexpr Words<ConversionShape, 2> conversion_shape_words{
    {{"source", ConversionShape::source}, {"target", ConversionShape::target}}};
constexpr Words<EnergyScope, 3> energy_scope_words{{{"all", EnergyScope::all},
                                                    {"printed", EnergyScope::printed},
                                                    {"without-operands", EnergyScope::without_operands}}};

void add_study_axes(AxisList& axes, Settings& s, const std::vector<std::string>& models) {
  axes.text(s.model, "model", "network to train, defined in configs/models", {}, models)
      .kind(AxisKind::model)
      .count(s.size.image_px, "image_px", 0, 16384, "side of the square input images in pixels, 0 for the model's own",
             0)
      .kind(AxisKind::image_size)
      .count(s.size.tokens, "tokens", 0, 16384, "sequence length of a language model, 0 for the model's own", 0)
      .kind(AxisKind::tokens)
      .count(s.batch, "batch", 1, 1 << 24, "samples in a training step", 256)
      .count(s.machine.levels, "levels", 0, search::max_levels, "levels H of the hierarchy of 2^H accelerators", 4)
      .choice(s.accounting.task, "task", task_words,
              "a whole training step, or the forward GEMMs of an inference, with GEMMs of two activations",
              Task::training)
      .kind(AxisKind::task)
      .policy(s.policy, policies(), "algorithm that chooses each layer's parallelism at each level")
      .choice(s.objective, "objective", objective_words,
              "quantity that exhaustive and hypar-optimal minimize: bytes exchanged, or analytic time",
              Objective::bytes)
      .choice(s.machine.topology, "topology", topology_words, "network between the accelerators (Sec. 6.5.1)",
              Topology::h_tree)
      .choice(s.bandwidth_scaling, "bandwidth_scaling", scaling_words,
              "bandwidth that stays constant as the array grows: of the whole network, or of each link",
              BandwidthScaling::total)
      .choice(s.fidelity, "fidelity", fidelity_words,
              "sums of computation and exchanges, event simulation of shared links, or routers flit by flit",
              Fidelity::analytic)
      .flag(s.overlap, "overlap", "overlap of exchanges with computation and each other (fidelities event and cycle)",
            true)
      .flag(s.record_timeline, std::string(record_timeline_axis),
            "recording of the timeline of tasks at fidelity analytic too (table timeline)", false);
}

void add_reading_axes(AxisList& axes, Settings& s) {
  axes.choice(s.compute_model, "compute_model", compute_model_words,
              "time of a GEMM: from peak rate and utilization, or from cycles of the row-stationary mapping",
              ComputeModel::throughput)
      .choice(s.mac_count, "mac_count", mac_count_words,
              "positions at which the multiply-accumulates of a convolution are counted", MacCount::output_size)
      .choice(s.accounting.feature_maps, "feature_maps", feature_maps_words,
              "size of a layer's partial sums: pooled, before pooling, or pooled from a map of its input's size",
              FeatureMaps::pooled)
      .choice(s.accounting.partial_sum_count, "partial_sum_count", partial_sum_count_words,
              "partial sums counted for both accelerators of a pair (Sec. 3.4), once, or by kind of layer",
              PartialSumCount::twice)
      .choice(s.accounting.converted_maps, "converted_maps", converted_maps_words,
              "size of the maps that change their layout: as that of partial sums, or after pooling",
              ConvertedMaps::as_features)
      .choice(s.accounting.conversion_count, "conversion_count", count_words,
              "layout conversions (Table 2) counted for both accelerators of a pair, or once", 2)
      .choice(s.accounting.mp_dp_count, "mp_dp_count", line_count_words,
              "conversions from model to data parallelism, where counted otherwise than conversion_count says", -1)
      .choice(
          s.accounting.mp_mp_convolution_count, "mp_mp_convolution_count", line_count_words,
          "errors that a convolution in model parallelism fetches, where counted otherwise than conversion_count says",
          -1)
      .choice(s.accounting.mp_mp_connected_count, "mp_mp_connected_count", line_count_words,
              "errors that a fully connected layer in model parallelism fetches, where counted otherwise than "
              "conversion_count says",
              -1)
      .choice(s.accounting.conversion_shape, "conversion_shape", conversion_shape_words,
              "levels that halve a tensor in transition: dp of source and mp of target, or all of target",
              ConversionShape::source)
      .choice(s.energy_scope, "energy_scope", energy_scope_words,
              "energies that count: all, only arithmetic and exchanged words in DRAM, or all but operands in DRAM",
              EnergyScope::all)
      .text(s.overrides, "overrides",
            "states set by hand after the policy, such as fc1=0011 or H1=0110 (0: data, 1: model)", "")
      .text(s.more_overrides, "more_overrides", "second axis of states set by hand, applied after overrides", "")
      .text(s.free, "free",
            "layers and levels that exhaustive and hypar-optimal choose, others as HyPar's; empty for all", "");
}

void add_accelerator_axes(AxisList& axes, Machine& m) {
  constexpr double max_words = 1 << 20;
  axes.count(m.units, "hardware.accelerator.units", 1, 4096, "processing units on an accelerator's logic die")
      .count(m.pe_rows, "hardware.pe_array.rows", 1, 1024, "rows of a processing unit's PE array")
      .count(m.pe_cols, "hardware.pe_array.cols", 1, 1024, "columns of a processing unit's PE array")
      .quantity(m.clock, "hardware.clock", "Hz", 1e3, 1e12, "clock of the processing units")
      .quantity(m.utilization, "hardware.pe_array.utilization", "1", 1e-6, 1,
                "share of PE cycles that do work (compute model throughput)")
      .quantity(m.buffer, "hardware.sram.buffer", "B", 1, 1e12, "SRAM buffer of a processing unit")
      .count(m.pe_input_words, "hardware.pe.input_words", 1, max_words, "words of a PE's scratchpad for inputs")
      .count(m.pe_filter_words, "hardware.pe.filter_words", 1, max_words, "words of a PE's scratchpad for filters")
      .count(m.pe_psum_words, "hardware.pe.psum_words", 1, max_words, "words of a PE's scratchpad for partial sums")
      .quantity(m.dram_capacity, "hardware.dram.capacity", "B", 1, 1e18, "DRAM capacity of an accelerator")
      .quantity(m.dram_bandwidth, "hardware.dram.bandwidth", "B/s", 1, 1e18, "DRAM bandwidth of an accelerator")
      .quantity(m.word, "hardware.data.word", "B", 0.125, 64, "size of a number in memory");
}

void add_network_axes(AxisList& axes, Settings& s) {
  Machine& m = s.machine;
  axes.quantity(s.network_bandwidth, "hardware.network.bandwidth", "B/s", 1, 1e18,
                "bandwidth of all links in one direction, for an array of network.accelerators")
      .count(s.network_accelerators, "hardware.network.accelerators", 1, 65536,
             "size of the array that network.bandwidth is stated for")
      .choice(m.torus_routing, "hardware.network.torus_routing", hardware::noc::torus_routing_words,
              "route around a ring of the torus where both ways are equally long")
      .choice(m.torus_mapping, "hardware.network.torus_mapping", hardware::noc::torus_mapping_words,
              "layout of the hierarchy's levels on the torus")
      .quantity(m.flit, "hardware.network.flit", "B", 1, 4096, "size of a flit (fidelity cycle)")
      .count(m.packet_flits, "hardware.network.packet_flits", 1, 1024, "flits in a packet (fidelity cycle)")
      .count(m.virtual_channels, "hardware.network.virtual_channels", 1, hardware::noc::router::max_virtual_channels,
             "virtual channels of a router port (fidelity cycle)")
      .count(m.buffer_flits, "hardware.network.buffer_flits", 1, hardware::noc::router::max_buffer_size,
             "flits in the buffer of a virtual channel (fidelity cycle)");
}

void add_energy_axes(AxisList& axes, EnergyConstants& e) {
  axes.quantity(e.add, "hardware.energy.add", "J", 0, 1, "energy of a 32-bit floating-point addition")
      .quantity(e.multiply, "hardware.energy.multiply", "J", 0, 1, "energy of a 32-bit floating-point multiplication")
      .quantity(e.sram_word, "hardware.energy.sram_word", "J", 0, 1, "energy of accessing a word of SRAM")
      .quantity(e.dram_word, "hardware.energy.dram_word", "J", 0, 1, "energy of accessing a word of DRAM")
      .quantity(e.link_byte, "hardware.energy.link", "J/B", 0, 1, "energy of moving a byte over one link")
      .quantity(e.dram_accesses_per_exchanged_word, "hardware.exchange.dram_accesses", "1", 0, 64,
                "DRAM accesses for each exchanged word");
}

}  // namespace

AxisTable<Settings> make_axes(const std::vector<std::string>& models) {
  AxisTable<Settings> axes;
  Settings& settings = axes.layout();
  add_study_axes(axes, settings, models);
  add_reading_axes(axes, settings);
  add_accelerator_axes(axes, settings.machine);
  add_network_axes(axes, settings);
  add_energy_axes(axes, settings.machine.energy);
  devices::add_silicon_axes(axes, settings.silicon);
  return axes;
}

double link_bandwidth(const Settings& settings) {
  const Machine& machine = settings.machine;
  const auto sharers = static_cast<double>(
      settings.bandwidth_scaling == BandwidthScaling::total ? machine.accelerators() : settings.network_accelerators);
  // A torus has two links for each accelerator where the tree's leaves have one: half the bandwidth each.
  return settings.network_bandwidth / sharers / (machine.topology == Topology::torus ? 2 : 1);
}

}  // namespace pimsweep::systems::hypar
