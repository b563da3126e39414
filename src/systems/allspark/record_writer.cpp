#include "systems/allspark/record_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "systems/record_builder.h"

namespace pimsweep::systems::allspark {

void write_times(const Run& run, RecordBuilder& out) {
  const auto images = static_cast<double>(run.batch);
  const auto seconds = [&](std::int64_t cycles) { return static_cast<double>(cycles) / run.machine.clock; };
  const TimeShares& time = run.time;
  const double latency = seconds(time.total());
  out.set("latency", latency);
  out.set("time_per_image", latency / images);
  out.set("cycles", time.total());
  out.set("compute_time", seconds(time.compute));
  out.set("nonlinear_time", seconds(time.nonlinear));
  out.set("transfer_time", seconds(time.transfer));
  out.set("weight_sharing_time", seconds(time.weight_sharing));
  out.set("movement_time", seconds(time.transfer + time.weight_sharing));
  out.set("sharing_time_per_image", seconds(time.weight_sharing) / images);
  const double slots =
      static_cast<double>(time.total()) * static_cast<double>(run.machine.nodes() * run.machine.pe_array.pes());
  out.set("pe_utilization", images * run.macs / slots);
}

void write_energy(const Run& run, const WordVolume& volume, const EnergyCosts& energy, RecordBuilder& out) {
  const auto images = static_cast<double>(run.batch);
  const double on_network = static_cast<double>(volume.on_network()) * run.machine.word_bytes;
  const double in_dram = static_cast<double>(volume.in_dram()) * run.machine.word_bytes;
  const double in_sram = static_cast<double>(volume.buffer) * run.machine.word_bytes * energy.buffer_byte +
                         static_cast<double>(volume.registers) * energy.register_word +
                         static_cast<double>(volume.accumulators) * energy.accumulator_word;
  const double joules =
      images * run.macs * energy.mac + in_sram + in_dram * energy.dram_byte + on_network * energy.link_byte;
  out.set("noc_byte_hops", on_network);
  out.set("dram_bytes", in_dram);
  out.set("sram_energy", in_sram);
  out.set("energy", joules);
  out.set("energy_per_image", joules / images);
}

namespace {

class Writer : public RecordBuilder {
 public:
  Writer(ModelCosts& costs, const Schema& schema, Record& record) : RecordBuilder(schema, record), costs_(costs) {}

  double seconds(std::int64_t cycles) const { return static_cast<double>(cycles) / costs_.machine().clock; }

  void memory(const MemoryUse& use) {
    set("weights_stored", use.weights);
    set("workspace", use.workspace);
    set("memory_used", use.total());
    set("patch_merging_weights", use.merging);
  }

  void stage_row(std::size_t s, const std::vector<Layers>& groups, const Evaluation& evaluation) {
    const workload::TransformerStage& stage = costs_.stage(s);
    const StageResult& result = evaluation.stages[s];
    std::int64_t blocks = 0;
    for (const workload::EncoderBlocks& kind : stage.blocks) blocks += kind.count;
    add(stages_table,
        {number(s + 1), stage.channels, stage.heads, blocks,
         static_cast<double>(weight_words(stage)) / static_cast<double>(blocks * stage.channels * stage.channels),
         branch_count(stage), number(result.layers.size()), schedule_text(groups),
         std::string(result.weights_reused ? "yes" : "no"), static_cast<double>(evaluation.memory.stage_weights[s]),
         static_cast<double>(evaluation.memory.stage_workspace[s]), result.node_utilization,
         seconds(result.time.total())});
  }

  void layer_row(std::size_t s, std::size_t layer, const LayerResult& result) {
    add(layers_table, {number(s + 1), number(layer + 1), name_of(result.partition), result.partition.head_split,
                       result.partition.patch_split, result.branches, result.capacity, result.nodes_occupied(),
                       seconds(result.time.total()), seconds(result.time.compute), seconds(result.time.nonlinear),
                       seconds(result.time.transfer), seconds(result.time.weight_sharing)});
  }

 private:
  static constexpr std::string_view stages_table = "stages";
  static constexpr std::string_view layers_table = "layers";

  static std::int64_t number(std::size_t value) { return static_cast<std::int64_t>(value); }

  ModelCosts& costs_;
};

Run run_of(const ModelCosts& costs, const TimeShares& time) {
  return {costs.machine(), costs.conditions().batch, costs.macs(), time};
}

}  // namespace

std::string schedule_text(const std::vector<Layers>& stage) {
  std::string text;
  for (const Layers& group : stage) {
    if (!text.empty()) text += ' ';
    text += name_of(group.partition);
    if (group.layers > 1) text += fmt::format("*{}", group.layers);
  }
  return text;
}

void write_record(ModelCosts& costs, const Decision& decision, bool weight_reuse, const EnergyCosts& energy,
                  const Schema& schema, Record& record) {
  Writer writer(costs, schema, record);
  writer.set("macs", costs.macs());
  writer.set("ideal_latency", writer.seconds(costs.ideal_cycles()));
  writer.set("solver", decision.solver);
  const bool both = !costs.caveat().empty() && !decision.caveat.empty();
  writer.set("caveat", costs.caveat() + (both ? "; " : "") + decision.caveat);
  record.status = Status::ok;
  if (decision.ideal) {
    TimeShares time;
    time.compute = costs.ideal_cycles();
    write_times(run_of(costs, time), writer);
    writer.set("node_utilization", 1.0);
    return;
  }
  record.message = decision.infeasible;
  if (!decision.stages.empty()) {
    const Evaluation evaluation = evaluate(costs, decision.stages, weight_reuse);
    writer.memory(evaluation.memory);
    writer.set("temporal_layers", evaluation.temporal_layers);
    std::int64_t sharing_group = 1;
    for (const std::vector<Layers>& groups : decision.stages) {
      for (const Layers& group : groups) sharing_group = std::max(sharing_group, group.partition.sharing_group);
    }
    writer.set("sharing_group", sharing_group);
    if (record.message.empty()) record.message = memory_shortage(evaluation.memory, costs.machine());
    if (record.message.empty()) {
      const Run run = run_of(costs, evaluation.time);
      write_times(run, writer);
      writer.set("node_utilization", evaluation.node_utilization);
      write_energy(run, evaluation.volume, energy, writer);
      for (std::size_t s = 0; s < decision.stages.size(); ++s) {
        writer.stage_row(s, decision.stages[s], evaluation);
        const std::vector<LayerResult>& layers = evaluation.stages[s].layers;
        for (std::size_t i = 0; i < layers.size(); ++i) writer.layer_row(s, i, layers[i]);
      }
    }
  }
  if (!record.message.empty()) record.status = Status::infeasible;
}

void write_deviation(ModelCosts& by_formula, const Decision& decision, const Schema& schema, Record& record) {
  // Weight reuse changes memory alone.
  const auto formula = static_cast<double>(evaluate(by_formula, decision.stages, true).time.total());
  const double simulated = to_real(record.metrics[static_cast<std::size_t>(schema.metric_index("cycles"))]);
  RecordBuilder(schema, record).set("formula_deviation", std::abs(formula / simulated - 1));
}

void write_gpu_record(const hardware::gpu::network::Inference& inference, std::int64_t batch, const Schema& schema,
                      Record& record) {
  RecordBuilder out(schema, record);
  double macs = 0;
  for (const hardware::gpu::network::InferenceKernel& kernel : inference.kernels) {
    if (!kernel.activation) macs += static_cast<double>(kernel.node->macs);
  }
  out.set("latency", inference.seconds);
  out.set("time_per_image", inference.seconds / static_cast<double>(batch));
  out.set("energy", inference.energy.total());
  out.set("energy_per_image", inference.energy.total() / static_cast<double>(batch));
  out.set("macs", macs / static_cast<double>(batch));
  out.set("caveat", std::string("on the graphics card: patch embedding and classifier are included"));
  record.status = Status::ok;
}

void write_interactions(const ModelCosts& costs, const std::vector<placement::StageInteraction>& interactions,
                        const Schema& schema, Record& record) {
  RecordBuilder out(schema, record);
  const auto whole = [](std::size_t value) { return static_cast<std::int64_t>(value); };
  const auto batch = static_cast<double>(costs.conditions().batch);
  double time = 0;
  double bytes = 0;
  double byte_hops = 0;
  double word_hops = 0;
  for (const placement::StageInteraction& each : interactions) {
    const double exchanges = batch * static_cast<double>(each.times);
    const double stage_time = exchanges * static_cast<double>(each.cycles) / costs.machine().clock;
    time += stage_time;
    bytes += exchanges * static_cast<double>(each.bytes);
    byte_hops += exchanges * static_cast<double>(each.byte_hops);
    word_hops += exchanges * static_cast<double>(each.bytes) * each.hops_of_word;
    out.add("interactions", {whole(each.stage + 1), each.kind, whole(each.places.size()), each.dependences, each.times,
                             each.hops_of_word, each.hops_of_dependence, static_cast<double>(each.bytes),
                             static_cast<double>(each.byte_hops), static_cast<double>(each.handover_byte_hops),
                             static_cast<double>(each.busiest_link_bytes), static_cast<double>(each.cycles), stage_time,
                             each.ideal_share});
    for (std::size_t branch = 0; branch < each.places.size(); ++branch) {
      const placement::Slot& place = each.places[branch];
      out.add("places", {whole(each.stage + 1), each.kind, whole(branch + 1), whole(place.layer + 1), place.nodes.row,
                         place.nodes.col, place.nodes.height, place.nodes.width});
    }
  }
  const double latency = to_real(record.metrics[static_cast<std::size_t>(schema.metric_index("latency"))]);
  out.set("interaction_time", time);
  out.set("interaction_share", time / (latency + time));
  out.set("interaction_bytes", bytes);
  out.set("interaction_byte_hops", byte_hops);
  if (bytes > 0) out.set("interaction_hops", word_hops / bytes);
}

}  // namespace pimsweep::systems::allspark
