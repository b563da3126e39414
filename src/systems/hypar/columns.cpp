#include "systems/hypar/outcome.h"

namespace pimsweep::systems::hypar {

namespace {

using Kind = workload::TrainingNode::Kind;

constexpr Words<Kind, 3> kind_words{
    {{"convolution", Kind::convolution}, {"fully connected", Kind::fully_connected}, {"junction", Kind::junction}}};

constexpr std::string_view layer_doc = "name of a weighted layer or junction";
constexpr std::string_view kind_doc = "kind of node: convolution, fully connected or junction";
constexpr std::string_view level_doc = "level of the hierarchy, 1 for the whole array";

void declare_metrics(MetricTable<Result>& table) {
  const Result& r = table.layout();
  table.quantity(r.time, "time", "s", "time of a training step, or of an inference of the batch")
      .quantity(r.throughput, "throughput", "1/s", "samples trained or inferred per second")
      .quantity(r.time_per_sample, "time_per_sample", "s", "time of a step divided by the batch")
      .quantity(r.compute_time, "compute_time", "s", "time of all GEMMs of all layers on an accelerator")
      .quantity(r.exposed_exchange_time, "exposed_exchange_time", "s",
                "time of exchanges that computation does not hide")
      .quantity(r.exchange_time, "exchange_time", "s", "time of all exchanges, each alone on the links")
      .quantity(r.time_lower_bound, "time_lower_bound", "s",
                "lower bound on the time: all GEMMs at peak rate, or the bytes on the busiest link")
      .quantity(r.communication, "communication", "B",
                "bytes exchanged in a step by all pairs of all levels (com of Algorithm 2)")
      .count(r.macs, "macs", "multiply-accumulates of the forward pass of one sample")
      .count(r.weights, "weights", "weights of all layers, without biases")
      .count(r.layers, "layers", "weighted layers of the model")
      .count(r.accelerators, "accelerators", "accelerators in the array, 2^levels")
      .count(r.hybrid, "hybrid", "1 if the assignment mixes data and model parallelism, else 0")
      .quantity(r.search_space, "search_space", "1", "assignments among which a search policy found the best",
                "policies that do not search, and spaces beyond the largest double")
      .quantity(r.energy, "energy", "J", "energy of a step in the chosen energy scope")
      .quantity(r.energy_per_sample, "energy_per_sample", "J", "energy of a step divided by the batch")
      .quantity(r.energies.arithmetic, "arithmetic_energy", "J", "energy of additions and multiplications")
      .quantity(r.energies.sram, "sram_energy", "J", "energy of the SRAM accesses of GEMMs")
      .quantity(r.energies.dram, "dram_energy", "J", "energy of the DRAM accesses of GEMMs")
      .quantity(r.energies.exchange, "exchange_energy", "J", "energy of the DRAM accesses of exchanges")
      .quantity(r.energies.links, "link_energy", "J", "energy of moving exchanged bytes over links")
      .quantity(r.memory_used, "memory_used", "B", "weights, gradients, feature maps and errors on an accelerator")
      .text(r.parallelism, "parallelism", "states of the layers, level H1 first (0: data, 1: model)")
      .text(r.found_by, "found_by", "method by which the policy found the assignment")
      .text(r.caveat, "caveat", "warning about the result, or empty");
  devices::add_silicon_metrics(table, r.silicon, "PE arrays with scratchpads, buffers and DRAM of all accelerators");
}

void declare_layers(RowTable<LayerRow>& table) {
  const LayerRow& row = table.layout();
  table.text(row.layer, "layer", std::string(layer_doc))
      .choice(row.kind, "kind", kind_words, std::string(kind_doc))
      .text(row.parallelism, "parallelism", "dp (data) or mp (model) at each level, H1 first")
      .count(row.weights, "weights", "weights of a layer, elements of dW")
      .count(row.features, "features", "elements of F_l+1 for the batch")
      .quantity(row.intra_communication, "intra_communication", "B",
                "bytes of partial sums of dW and F, all pairs of all levels (Table 1)")
      .quantity(row.inter_communication, "inter_communication", "B",
                "bytes of converted inputs and errors, all pairs of all levels (Table 2)")
      .quantity(row.compute_time, "compute_time", "s", "time of a layer's GEMMs on an accelerator");
}

void declare_levels(RowTable<LevelRow>& table) {
  const LevelRow& row = table.layout();
  table.count(row.level, "level", std::string(level_doc))
      .count(row.pairs, "pairs", "pairs of groups of accelerators at a level")
      .quantity(row.pair_communication, "pair_communication", "B", "bytes that a pair exchanges in a step")
      .quantity(row.exchange_time, "exchange_time", "s", "time of a pair's exchanges, alone on the links")
      .text(row.parallelism, "parallelism", "dp (data) or mp (model) of each weighted layer at a level");
}

void declare_layer_levels(RowTable<LayerLevelRow>& table) {
  const LayerLevelRow& row = table.layout();
  table.text(row.layer, "layer", std::string(layer_doc))
      .choice(row.kind, "kind", kind_words, std::string(kind_doc))
      .count(row.level, "level", std::string(level_doc))
      .text(row.parallelism, "parallelism", "dp (data) or mp (model) of a layer at a level")
      .quantity(row.intra_communication, "intra_communication", "B",
                "bytes of partial sums of dW or F, all pairs of a level (Table 1)")
      .quantity(row.inter_communication, "inter_communication", "B",
                "bytes of converted inputs and errors, all pairs of a level (Table 2)");
}

void declare_timeline(RowTable<TaskRow>& table) {
  const TaskRow& row = table.layout();
  table.count(row.task, "task", "number of the task in program order")
      .in_timeline(TimelineRole::task)
      .text(row.what, "what", "forward, error or gradient GEMM, F or dW summed, F or E converted")
      .in_timeline(TimelineRole::name)
      .text(row.layer, "layer", "name of the layer or junction that the task belongs to")
      .in_timeline(TimelineRole::name)
      .count(row.level, "level", "level of the hierarchy of an exchange, 0 for a GEMM")
      .quantity(row.start, "start", "s", "start of the task, from the start of the step")
      .in_timeline(TimelineRole::start)
      .quantity(row.end, "end", "s", "end of the task, from the start of the step")
      .in_timeline(TimelineRole::end)
      .text(row.units, "units", "units that the task occupies: all accelerators, or all links of a level")
      .in_timeline(TimelineRole::group)
      .quantity(row.bytes, "bytes", "B", "bytes that all pairs of the level exchange in the task")
      .in_timeline(TimelineRole::moved)
      .text(row.after, "after", "numbers of the tasks that the task waits for")
      .in_timeline(TimelineRole::after);
}

}  // namespace

Columns::Columns(Schema& schema)
    : by_layer("by_layer", "one row for each weighted layer and junction"),
      by_level("by_level", "one row for each level of the hierarchy"),
      by_layer_and_level("by_layer_and_level", "one row for each weighted layer and junction at each level"),
      timeline("timeline", "one row for each task of the step, for fidelities event and cycle, or if recorded") {
  declare_metrics(metrics);
  declare_layers(by_layer);
  declare_levels(by_level);
  declare_layer_levels(by_layer_and_level);
  declare_timeline(timeline);
  schema.metrics = metrics.columns();
  by_layer.attach(schema);
  by_level.attach(schema);
  by_layer_and_level.attach(schema);
  timeline.attach(schema);
}

std::string_view kind_name(Kind kind) { return word_of(kind_words, kind); }

}  // namespace pimsweep::systems::hypar
