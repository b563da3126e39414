#include "systems/allspark/record_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "systems/allspark/evaluation.h"

namespace pimsweep::systems::allspark {

namespace {

/// A batch that has run on the array; `macs` of one sample.
struct Run {
  const Machine& machine;
  std::int64_t batch = 1;
  double macs = 0;
  TimeShares time;

  double seconds(std::int64_t cycles) const { return static_cast<double>(cycles) / machine.clock; }
};

Run run_of(const ModelCosts& costs, const TimeShares& time) {
  return {costs.machine(), costs.conditions().batch, costs.macs(), time};
}

void write_times(const Run& run, Result& result) {
  const auto samples = static_cast<double>(run.batch);
  const TimeShares& time = run.time;
  const double seconds = run.seconds(time.total());
  result.time = seconds;
  result.time_per_sample = seconds / samples;
  result.cycles = static_cast<double>(time.total());
  result.compute_time = run.seconds(time.compute);
  result.nonlinear_time = run.seconds(time.nonlinear);
  result.transfer_time = run.seconds(time.transfer);
  result.weight_sharing_time = run.seconds(time.weight_sharing);
  result.movement_time = run.seconds(time.transfer + time.weight_sharing);
  result.sharing_time_per_sample = run.seconds(time.weight_sharing) / samples;
  const double pe_cycles =
      static_cast<double>(time.total()) * static_cast<double>(run.machine.nodes() * run.machine.pes());
  result.pe_utilization = samples * run.macs / pe_cycles;
}

void write_energy(const Run& run, const WordVolume& volume, const EnergyCosts& energy, Result& result) {
  const auto samples = static_cast<double>(run.batch);
  const double on_network = static_cast<double>(volume.on_network()) * run.machine.word_bytes;
  const double in_dram = static_cast<double>(volume.in_dram()) * run.machine.word_bytes;
  const double in_sram = static_cast<double>(volume.buffer) * run.machine.word_bytes * energy.buffer_byte +
                         static_cast<double>(volume.registers) * energy.register_word +
                         static_cast<double>(volume.accumulators) * energy.accumulator_word;
  const double joules =
      samples * run.macs * energy.mac + in_sram + in_dram * energy.dram_byte + on_network * energy.link_byte;
  result.noc_byte_hops = on_network;
  result.dram_bytes = in_dram;
  result.sram_energy = in_sram;
  result.energy = joules;
  result.energy_per_sample = joules / samples;
}

void write_memory(const MemoryUse& use, Result& result) {
  result.weights_stored = static_cast<double>(use.weights);
  result.workspace = static_cast<double>(use.workspace);
  result.memory_used = static_cast<double>(use.total());
}

void write_model(const ModelCosts& costs, Result& result) {
  result.macs = costs.macs();
  result.ideal_time = static_cast<double>(costs.ideal_cycles()) / costs.machine().clock;
  result.caveat = costs.caveat();
}

/// `message`: reason for an infeasible point, or empty.
void conclude(std::string message, Record& record) {
  record.status = message.empty() ? Status::ok : Status::infeasible;
  record.message = std::move(message);
}

StageRow stage_row(const ModelCosts& costs, std::size_t s, const std::vector<Layers>& groups,
                   const Evaluation& evaluation) {
  const workload::TransformerStage& stage = costs.stage(s);
  const StageResult& result = evaluation.stages[s];
  StageRow row;
  row.stage = s + 1;
  row.channels = stage.channels;
  row.heads = stage.heads;
  for (const workload::EncoderBlocks& kind : stage.blocks) row.blocks += kind.count;
  row.block_weights =
      static_cast<double>(weight_words(stage)) / static_cast<double>(row.blocks * stage.channels * stage.channels);
  row.branches = branch_count(stage);
  row.temporal_layers = result.layers.size();
  row.schemes = schedule_text(groups);
  row.weights_reused = result.weights_reused;
  row.weights = static_cast<double>(evaluation.memory.stage_weights[s]);
  row.workspace = static_cast<double>(evaluation.memory.stage_workspace[s]);
  row.node_utilization = result.node_utilization;
  row.time = static_cast<double>(result.time.total()) / costs.machine().clock;
  return row;
}

LayerRow layer_row(double clock, std::size_t s, std::size_t layer, const LayerResult& result) {
  const auto seconds = [&](std::int64_t cycles) { return static_cast<double>(cycles) / clock; };
  LayerRow row;
  row.stage = s + 1;
  row.layer = layer + 1;
  row.scheme = name_of(result.partition);
  row.head_split = result.partition.head_split;
  row.patch_split = result.partition.patch_split;
  row.branches = result.branches;
  row.capacity = result.capacity;
  row.nodes_occupied = result.nodes_occupied();
  row.time = seconds(result.time.total());
  row.compute_time = seconds(result.time.compute);
  row.nonlinear_time = seconds(result.time.nonlinear);
  row.transfer_time = seconds(result.time.transfer);
  row.weight_sharing_time = seconds(result.time.weight_sharing);
  return row;
}

void write_stages(const ModelCosts& costs, const Decision& decision, const Evaluation& evaluation, Outcome& outcome) {
  for (std::size_t s = 0; s < decision.stages.size(); ++s) {
    outcome.tables.stages.add(stage_row(costs, s, decision.stages[s], evaluation), outcome.record);
    const std::vector<LayerResult>& layers = evaluation.stages[s].layers;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      outcome.tables.layers.add(layer_row(costs.machine().clock, s, i, layers[i]), outcome.record);
    }
  }
}

std::int64_t max_sharing_group(const Decision& decision) {
  std::int64_t largest = 1;
  for (const std::vector<Layers>& groups : decision.stages) {
    for (const Layers& group : groups) largest = std::max(largest, group.partition.sharing_group);
  }
  return largest;
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

void write_schedule(ModelCosts& costs, const Decision& decision, bool weight_reuse, const EnergyCosts& energy,
                    Outcome& outcome) {
  Result& result = outcome.result;
  write_model(costs, result);
  result.solver = decision.solver;
  if (!result.caveat.empty() && !decision.caveat.empty()) result.caveat += "; ";
  result.caveat += decision.caveat;
  if (decision.stages.empty()) return conclude(decision.infeasible, outcome.record);
  const Evaluation evaluation = evaluate(costs, decision.stages, weight_reuse);
  write_memory(evaluation.memory, result);
  result.patch_merging_weights = static_cast<double>(evaluation.memory.merging);
  result.temporal_layers = static_cast<double>(evaluation.temporal_layers);
  result.sharing_group = static_cast<double>(max_sharing_group(decision));
  conclude(decision.infeasible.empty() ? memory_shortage(evaluation.memory, costs.machine()) : decision.infeasible,
           outcome.record);
  if (outcome.record.status != Status::ok) return;
  const Run run = run_of(costs, evaluation.time);
  write_times(run, result);
  result.node_utilization = evaluation.node_utilization;
  write_energy(run, evaluation.volume, energy, result);
  write_stages(costs, decision, evaluation, outcome);
}

void write_deviation(ModelCosts& by_formula, const Decision& decision, Outcome& outcome) {
  // Weight reuse changes memory alone.
  const auto formula = static_cast<double>(evaluate(by_formula, decision.stages, true).time.total());
  outcome.result.formula_deviation = std::abs(formula / outcome.result.cycles.value() - 1);
}

void write_interactions(const ModelCosts& costs, const std::vector<StageInteraction>& interactions, Outcome& outcome) {
  const auto batch = static_cast<double>(costs.conditions().batch);
  double time = 0;
  double bytes = 0;
  double byte_hops = 0;
  double word_hops = 0;
  for (const StageInteraction& each : interactions) {
    const double exchanges = batch * static_cast<double>(each.times);
    const double stage_time = exchanges * static_cast<double>(each.cycles) / costs.machine().clock;
    time += stage_time;
    bytes += exchanges * static_cast<double>(each.bytes);
    byte_hops += exchanges * static_cast<double>(each.byte_hops);
    word_hops += exchanges * static_cast<double>(each.bytes) * each.hops_of_word;
    outcome.tables.interactions.add(
        {each.stage + 1, each.kind, each.places.size(), each.dependences, each.times, each.hops_of_word,
         each.hops_of_dependence, static_cast<double>(each.bytes), static_cast<double>(each.byte_hops),
         static_cast<double>(each.handover_byte_hops), static_cast<double>(each.busiest_link_bytes),
         static_cast<double>(each.cycles), stage_time, each.ideal_share},
        outcome.record);
    for (std::size_t branch = 0; branch < each.places.size(); ++branch) {
      const placement::Slot& place = each.places[branch];
      outcome.tables.places.add({each.stage + 1, each.kind, branch + 1, place.layer + 1, place.nodes.row,
                                 place.nodes.col, place.nodes.height, place.nodes.width},
                                outcome.record);
    }
  }
  Result& result = outcome.result;
  result.interaction_time = time;
  result.interaction_share = time / (result.time + time);
  result.interaction_bytes = bytes;
  result.interaction_byte_hops = byte_hops;
  if (bytes > 0) result.interaction_hops = word_hops / bytes;
}

void write_ideal(const ModelCosts& costs, Outcome& outcome) {
  write_model(costs, outcome.result);
  TimeShares time;
  time.compute = costs.ideal_cycles();
  write_times(run_of(costs, time), outcome.result);
  outcome.result.node_utilization = 1.0;
  outcome.record.status = Status::ok;
}

void write_operators(const OperatorSchedule& schedule, const Machine& machine, std::int64_t batch,
                     const EnergyCosts& energy, Outcome& outcome) {
  Result& result = outcome.result;
  const auto macs = static_cast<double>(schedule.macs);
  const auto pes = static_cast<double>(machine.nodes() * machine.pes());
  result.macs = macs;
  result.ideal_time = std::ceil(static_cast<double>(batch) * macs / pes) / machine.clock;
  result.caveat = "operator by operator: data that windows and shifts rearrange moves for nothing";
  MemoryUse use;
  use.weights = schedule.weights;
  use.workspace = schedule.workspace;
  write_memory(use, result);
  conclude(memory_shortage(use, machine), outcome.record);
  if (outcome.record.status != Status::ok) return;
  const Run run{machine, batch, macs, schedule.time};
  write_times(run, result);
  write_energy(run, schedule.volume, energy, result);
}

void write_gpu(const hardware::gpu::network::Inference& inference, std::int64_t batch, Outcome& outcome) {
  double macs = 0;
  for (const hardware::gpu::network::InferenceKernel& kernel : inference.kernels) {
    if (!kernel.activation) macs += static_cast<double>(kernel.node->macs);
  }
  Result& result = outcome.result;
  result.time = inference.seconds;
  result.time_per_sample = inference.seconds / static_cast<double>(batch);
  result.energy = inference.energy.total();
  result.energy_per_sample = inference.energy.total() / static_cast<double>(batch);
  result.macs = macs / static_cast<double>(batch);
  result.caveat = "on the graphics card: patch embedding and classifier are included";
  outcome.record.status = Status::ok;
}

}  // namespace pimsweep::systems::allspark
