#include "systems/hypar/schema.h"

#include "hardware/noc/router/router_settings.h"
#include "hardware/noc/torus.h"
#include "systems/axes.h"
#include "systems/hypar/policy.h"
#include "systems/policy_list.h"
#include "systems/silicon_axes.h"

namespace pimsweep::systems::hypar {

namespace {

std::vector<std::string> names(std::span<const std::string_view> views) { return {views.begin(), views.end()}; }

Value text(std::string value) { return Value{std::move(value)}; }

std::vector<Axis> make_axes(const std::vector<std::string>& models) {
  const std::vector<Axis> study{
      text_axis("model", std::nullopt, models, "network to train, one of configs/models"),
      count_axis("image_px", Value{std::int64_t{0}}, 0, 16384, "input size; 0: the model's own"),
      count_axis("batch", Value{std::int64_t{256}}, 1, 1 << 24, "images of a training step"),
      count_axis("levels", Value{std::int64_t{4}}, 0, search::max_levels,
                 "levels H of the hierarchy: 2^H accelerators"),
      text_axis("task", text("training"), {"training", "inference"},
                "a training step, or the forward products alone, with products of two activations"),
      text_axis("policy", std::nullopt, policy_names(policies()), "who chooses each layer's parallelism at each level"),
      text_axis("objective", text("bytes"), {"bytes", "time"},
                "what exhaustive and hypar-optimal minimise: total communication, or the analytic time of a step"),
      text_axis("topology", text("h-tree"), {"h-tree", "torus"}, "network between the accelerators (Sec. 6.5.1)"),
      text_axis("bandwidth_scaling", text("total"), {"total", "link"},
                "what stays the same when the array grows: the network's total bandwidth, or each link's"),
      text_axis(
          "fidelity", text("analytic"), {"analytic", "event", "cycle"},
          "sums of computation and exchanges; a simulation in which they meet on the links; the same with links and "
          "virtual-channel routers simulated flit by flit"),
      flag_axis("overlap", true,
                "fidelities event and cycle: exchanges go on beside computation and beside one another"),
      text_axis("compute_model", text("throughput"), {"throughput", "row-stationary"},
                "time of a product: peak rate x utilisation, or cycles of the row-stationary mapping"),
      text_axis("mac_count", text("output-size"), {"output-size", "input-size"},
                "positions at which a convolution's multiply-accumulates are counted"),
      text_axis("feature_maps", text("pooled"), {"pooled", "product"},
                "size of a layer's partial sums: after pooling (as Figure 8 has them), or as the product gives them"),
      text_axis("partial_sum_count", text("twice"), {"twice", "once"},
                "whether a layer's partial sums count for both accelerators of a pair, as in Sec. 3.4, or once"),
      text_axis("conversion_count", text("twice"), {"twice", "once"}, "the same for the conversions of Table 2"),
      text_axis("conversion_shape", text("source"), {"source", "target"},
                "what has halved a tensor in transition: dp levels of its source and mp levels of its target, or all "
                "levels of its target"),
      text_axis("energy_scope", text("all"), {"all", "printed"},
                "energy of everything, or only of arithmetic and of exchanged words in DRAM"),
      text_axis("overrides", text(""), {},
                "states set by hand after the policy: LAYER=BITS or H1=BITS, 0 data, 1 model, separated by blanks"),
      text_axis("more_overrides", text(""), {}, "the same, after overrides: a second axis for two-dimensional studies"),
      text_axis(
          "free", text(""), {},
          "layers and levels that exhaustive and hypar-optimal choose, separated by blanks, the rest as HyPar has "
          "them; empty: all"),
  };
  const std::vector<Axis> hardware{
      count_axis("hardware.accelerator.units", {}, 1, 4096, "processing units on an accelerator's logic die"),
      count_axis("hardware.pe_array.rows", {}, 1, 1024, "rows of a processing unit's PE array"),
      count_axis("hardware.pe_array.cols", {}, 1, 1024, "columns of a processing unit's PE array"),
      quantity_axis("hardware.clock", "Hz", 1e3, 1e12, "clock of the processing units"),
      quantity_axis("hardware.pe_array.utilization", "1", 1e-6, 1,
                    "share of PE cycles that do work (throughput model)"),
      quantity_axis("hardware.sram.buffer", "B", 1, 1e12, "buffer of a processing unit"),
      count_axis("hardware.pe.input_words", {}, 1, 1 << 20, "scratchpad of a PE for inputs, in words"),
      count_axis("hardware.pe.filter_words", {}, 1, 1 << 20, "scratchpad of a PE for filters, in words"),
      count_axis("hardware.pe.psum_words", {}, 1, 1 << 20, "scratchpad of a PE for partial sums, in words"),
      quantity_axis("hardware.dram.capacity", "B", 1, 1e18, "DRAM of an accelerator"),
      quantity_axis("hardware.dram.bandwidth", "B/s", 1, 1e18, "DRAM bandwidth of an accelerator"),
      quantity_axis("hardware.data.word", "B", 0.125, 64, "size of a value"),
      quantity_axis("hardware.network.bandwidth", "B/s", 1, 1e18,
                    "bandwidth of all links of an array of network.accelerators, in one direction"),
      count_axis("hardware.network.accelerators", {}, 1, 65536, "array size that network.bandwidth is stated for"),
      text_axis("hardware.network.torus_routing", {}, names(hardware::noc::torus_routing_names),
                "which way round a ring where both are equally long"),
      text_axis("hardware.network.torus_mapping", {}, names(hardware::noc::torus_mapping_names),
                "how the hierarchy's levels are laid out on the torus"),
      quantity_axis("hardware.network.flit", "B", 1, 4096, "flit of a router's links (fidelity cycle)"),
      count_axis("hardware.network.packet_flits", {}, 1, 1024, "flits of a packet"),
      count_axis("hardware.network.virtual_channels", {}, 1, hardware::noc::router::max_virtual_channels,
                 "virtual channels of a router's ports"),
      count_axis("hardware.network.buffer_flits", {}, 1, hardware::noc::router::max_buffer_size,
                 "flits that the buffer of a virtual channel holds"),
      quantity_axis("hardware.energy.add", "J", 0, 1, "a 32-bit floating-point addition"),
      quantity_axis("hardware.energy.multiply", "J", 0, 1, "a 32-bit floating-point multiplication"),
      quantity_axis("hardware.energy.sram_word", "J", 0, 1, "a word of SRAM"),
      quantity_axis("hardware.energy.dram_word", "J", 0, 1, "a word of DRAM"),
      quantity_axis("hardware.energy.link", "J/B", 0, 1, "a byte over one link"),
      quantity_axis("hardware.exchange.dram_accesses", "1", 0, 64, "DRAM accesses for each word that is exchanged"),
  };
  std::vector<Axis> axes = study;
  axes.insert(axes.end(), hardware.begin(), hardware.end());
  return axes;
}

std::vector<Metric> make_metrics() {
  return {
      {"step_time", "s", "time of a training step, or of an inference of the batch"},
      {"throughput", "1/s", "images in a second"},
      {"time_per_image", "s", "step_time by batch"},
      {"compute_time", "s", "time of all products of all layers on an accelerator"},
      {"exchange_time", "s", "time of all exchanges, each alone on the links"},
      {"exposed_exchange_time", "s", "step_time without compute_time: what overlap leaves"},
      {"least_time", "s", "bound: the larger of all products at peak rate and the exchanges of the busiest link"},
      {"total_communication", "B", "bytes exchanged in a step by all pairs of all levels (com of Algorithm 2)"},
      {"macs", "1", "multiply-accumulates of the forward products of one image"},
      {"weights", "1", "weights of all layers, without biases"},
      {"layers", "1", "weighted layers"},
      {"accelerators", "1", "2^levels"},
      {"hybrid", "1", "1 if some layer and level is in dp and some in mp, else 0"},
      {"search_space", "1", "assignments among which exhaustive and hypar-optimal found theirs"},
      {"energy", "J", "energy of a step in the chosen scope"},
      {"energy_per_image", "J", "energy by batch"},
      {"arithmetic_energy", "J", "additions and multiplications"},
      {"sram_energy", "J", "SRAM accesses of the products"},
      {"dram_energy", "J", "DRAM accesses of the products"},
      {"exchange_energy", "J", "DRAM accesses for what is exchanged"},
      {"link_energy", "J", "bytes over links"},
      {"memory_used", "B", "weights, gradients, feature maps and errors on an accelerator"},
      {"parallelism", "1", "states of the layers, level H1 first: 0 data, 1 model", ValueType::text},
      {"found_by", "1", "how the policy came to it", ValueType::text},
      {"caveat", "1", "what to know about this result; empty if nothing", ValueType::text},
  };
}

std::vector<Table> make_tables() {
  const ValueType integer = ValueType::integer;
  const ValueType text = ValueType::text;
  return {
      {"by_layer",
       "one row for each weighted layer and junction",
       {
           {"layer", "1", "name", text},
           {"kind", "1", "convolution, fully connected or junction", text},
           {"parallelism", "1", "dp or mp at each level, H1 first", text},
           {"weights", "1", "weights, elements of dW", integer},
           {"features", "1", "elements of F_l+1 for the batch", integer},
           {"intra_communication", "B", "partial sums of dW and F, all pairs of all levels (Table 1)"},
           {"inter_communication", "B", "conversions of what it reads, all pairs of all levels (Table 2)"},
           {"compute_time", "s", "its products on an accelerator"},
       }},
      {"by_level",
       "one row for each level of the hierarchy",
       {
           {"level", "1", "level, 1 is the whole array", integer},
           {"pairs", "1", "pairs of groups", integer},
           {"pair_communication", "B", "what a pair exchanges in a step"},
           {"exchange_time", "s", "the same, alone on the links"},
           {"parallelism", "1", "dp or mp of each weighted layer at this level", text},
       }},
      {"by_layer_and_level",
       "one row for each weighted layer and junction at each level",
       {
           {"layer", "1", "name", text},
           {"kind", "1", "convolution, fully connected or junction", text},
           {"level", "1", "level, 1 is the whole array", integer},
           {"parallelism", "1", "dp or mp", text},
           {"intra_communication", "B", "partial sums of dW or F of all pairs (Table 1)"},
           {"inter_communication", "B", "conversions of what it reads, of all pairs (Table 2)"},
       }},
      {"timeline",
       "fidelities event and cycle: one row for each task of the step",
       {
           {"task", "1", "number in program order", integer},
           {"what", "1", "forward, error, gradient; F or dW summed; F or E converted", text},
           {"layer", "1", "whose", text},
           {"level", "1", "level of an exchange, 0 for a product", integer},
           {"start", "s", "since the step began"},
           {"end", "s", "since the step began"},
       }},
  };
}

}  // namespace

Schema make_schema(const std::vector<std::string>& models) {
  Schema schema;
  schema.name = "hypar";
  schema.doc = "HyPar: training on an array of HMC accelerators, data or model parallelism for each layer and level";
  schema.version = 1;
  schema.axes = make_axes(models);
  schema.metrics = make_metrics();
  append_silicon_axes(schema.axes);
  append_silicon_metrics(schema.metrics, "PE arrays with scratchpads, buffers and DRAM of all accelerators");
  schema.tables = make_tables();
  return schema;
}

PointReader::PointReader(const Schema& schema) {
  const auto find = [&](std::string_view name) { return axis_at(schema, name); };
  model_ = find("model");
  image_px_ = find("image_px");
  batch_ = find("batch");
  levels_ = find("levels");
  task_ = find("task");
  policy_ = find("policy");
  objective_ = find("objective");
  fidelity_ = find("fidelity");
  overlap_ = find("overlap");
  overrides_ = find("overrides");
  more_overrides_ = find("more_overrides");
  free_ = find("free");
  feature_maps_ = find("feature_maps");
  partial_sum_count_ = find("partial_sum_count");
  conversion_count_ = find("conversion_count");
  conversion_shape_ = find("conversion_shape");
  mac_count_ = find("mac_count");
  compute_model_ = find("compute_model");
  energy_scope_ = find("energy_scope");
  topology_ = find("topology");
  bandwidth_scaling_ = find("bandwidth_scaling");
  units_ = find("hardware.accelerator.units");
  pe_rows_ = find("hardware.pe_array.rows");
  pe_cols_ = find("hardware.pe_array.cols");
  clock_ = find("hardware.clock");
  utilization_ = find("hardware.pe_array.utilization");
  buffer_ = find("hardware.sram.buffer");
  pe_input_ = find("hardware.pe.input_words");
  pe_filter_ = find("hardware.pe.filter_words");
  pe_psum_ = find("hardware.pe.psum_words");
  dram_capacity_ = find("hardware.dram.capacity");
  dram_bandwidth_ = find("hardware.dram.bandwidth");
  word_ = find("hardware.data.word");
  network_bandwidth_ = find("hardware.network.bandwidth");
  network_accelerators_ = find("hardware.network.accelerators");
  torus_routing_ = find("hardware.network.torus_routing");
  torus_mapping_ = find("hardware.network.torus_mapping");
  flit_ = find("hardware.network.flit");
  packet_flits_ = find("hardware.network.packet_flits");
  virtual_channels_ = find("hardware.network.virtual_channels");
  buffer_flits_ = find("hardware.network.buffer_flits");
  add_ = find("hardware.energy.add");
  multiply_ = find("hardware.energy.multiply");
  sram_word_ = find("hardware.energy.sram_word");
  dram_word_ = find("hardware.energy.dram_word");
  link_byte_ = find("hardware.energy.link");
  exchange_accesses_ = find("hardware.exchange.dram_accesses");
}

Accounting PointReader::accounting(const Point& point) const {
  Accounting accounting;
  accounting.task = point.text(task_) == "training" ? Task::training : Task::inference;
  accounting.feature_maps = point.text(feature_maps_) == "pooled" ? FeatureMaps::pooled : FeatureMaps::product;
  accounting.partial_sum_count = point.text(partial_sum_count_) == "twice" ? 2 : 1;
  accounting.conversion_count = point.text(conversion_count_) == "twice" ? 2 : 1;
  accounting.conversion_shape =
      point.text(conversion_shape_) == "source" ? ConversionShape::source : ConversionShape::target;
  return accounting;
}

MacCount PointReader::mac_count(const Point& point) const {
  return point.text(mac_count_) == "output-size" ? MacCount::output_size : MacCount::input_size;
}

ComputeModel PointReader::compute_model(const Point& point) const {
  return point.text(compute_model_) == "throughput" ? ComputeModel::throughput : ComputeModel::row_stationary;
}

Machine PointReader::machine(const Point& point) const {
  Machine machine;
  machine.levels = static_cast<int>(point.integer(levels_));
  machine.units = point.integer(units_);
  machine.pe_rows = point.integer(pe_rows_);
  machine.pe_cols = point.integer(pe_cols_);
  machine.clock = point.real(clock_);
  machine.utilization = point.real(utilization_);
  machine.buffer = point.real(buffer_);
  machine.pe_input_words = point.integer(pe_input_);
  machine.pe_filter_words = point.integer(pe_filter_);
  machine.pe_psum_words = point.integer(pe_psum_);
  machine.dram_capacity = point.real(dram_capacity_);
  machine.dram_bandwidth = point.real(dram_bandwidth_);
  machine.word = point.real(word_);
  machine.topology = point.text(topology_) == "h-tree" ? Topology::h_tree : Topology::torus;
  const double sharers = point.text(bandwidth_scaling_) == "total" ? static_cast<double>(machine.accelerators())
                                                                   : point.real(network_accelerators_);
  // A torus has two links for each accelerator where the tree's leaves have one: the same total, half as much each.
  machine.link_bandwidth = point.real(network_bandwidth_) / sharers / (machine.topology == Topology::torus ? 2 : 1);
  machine.torus_routing = point.text(torus_routing_);
  machine.torus_mapping = point.text(torus_mapping_);
  machine.flit = point.real(flit_);
  machine.packet_flits = static_cast<unsigned>(point.integer(packet_flits_));
  machine.virtual_channels = static_cast<unsigned>(point.integer(virtual_channels_));
  machine.buffer_flits = static_cast<unsigned>(point.integer(buffer_flits_));
  machine.energy = {point.real(add_),       point.real(multiply_),  point.real(sram_word_),
                    point.real(dram_word_), point.real(link_byte_), point.real(exchange_accesses_)};
  return machine;
}

}  // namespace pimsweep::systems::hypar
