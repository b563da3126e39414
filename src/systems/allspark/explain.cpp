#include "systems/allspark/explain.h"

#include <fmt/format.h>

#include "base/quantity.h"
#include "systems/allspark/cycle/sustained_phases.h"
#include "systems/allspark/evaluation.h"
#include "systems/allspark/record_writer.h"

namespace pimsweep::systems::allspark {

namespace {

template <class Number>
std::string text(Number number) {
  return fmt::format("{}", number);
}

std::string bytes(std::int64_t count) { return format_quantity(static_cast<double>(count), "B"); }

void explain_machine(const Machine& machine, Rates rates, Explanation& notes) {
  const hardware::pe_array::PeArray array = machine.pe_array();
  notes.section("Machine").lines = {
      {"node array", fmt::format("{} x {}", machine.node_rows, machine.node_cols), "rows x columns"},
      {"PE array", fmt::format("{} x {}", array.rows, array.cols), "K over rows, N over columns"},
      {"clock", format_quantity(machine.clock, "Hz"), ""},
      {"buffer", fmt::format("{} words", array.buffer_words), ""},
      {"DRAM bandwidth", fmt::format("{} words per cycle", array.dram_words_per_cycle), "of a node"},
      {"node capacity", bytes(machine.node_bytes()), ""},
      {"transfer", fmt::format("{} cycles per byte", machine.transfer_cycles_per_byte()),
       "DRAM of a node to DRAM of its neighbor, at peak rates"},
      {"ACU", fmt::format("{} lanes", machine.acu.lanes),
       fmt::format("passes: softmax {}, layer norm {}, GELU {}", machine.acu.softmax_passes,
                   machine.acu.layernorm_passes, machine.acu.gelu_passes)},
  };
  if (rates == Rates::peak) return;
  const hardware::dram::Dram bank = cycle::sustained_bank(machine);
  notes.sections.back().lines.push_back(
      {"sustained",
       fmt::format("reads {:.3g} %, writes {:.3g} % of the DRAM's peak", 100 * cycle::StreamTime(bank, false).rate(),
                   100 * cycle::StreamTime(bank, true).rate()),
       fmt::format("rows of {} accesses, refresh", bank.organization.columns)});
}

void explain_partition(ModelCosts& costs, std::size_t stage, const Layers& group, Explanation& notes) {
  costs.explain(stage, group.partition, notes);
  const PartitionCost& cost = costs.cost(stage, group.partition);
  notes.section(fmt::format("{} in total, a temporal layer of all blocks", name_of(group.partition))).lines = {
      {"layers", text(group.layers), ""},
      {"capacity", text(cost.capacity), "branches per layer (Algorithm 1)"},
      {"sharing group", text(group.partition.sharing_group), "sub-arrays that share their weights"},
      {"weights", bytes(cost.weight_bytes), "on a node"},
      {"patch merging weights", bytes(cost.merging_bytes), "on a node, outside of Eq. (5)"},
      {"workspace", bytes(cost.workspace_bytes), "largest phase"},
      {"compute", text(cost.time.compute), "cycles"},
      {"nonlinear", text(cost.time.nonlinear), "cycles"},
      {"transfer", text(cost.time.transfer), "cycles"},
      {"weight sharing", text(cost.time.weight_sharing), "cycles"},
      {"total", text(cost.time.total()), "cycles"},
  };
}

}  // namespace

void explain_model(const ModelCosts& costs, Explanation& notes) {
  explain_machine(costs.machine(), costs.conditions().rates, notes);
  notes.section("Model").lines = {{"model", costs.model().name, ""},
                                  {"input size", text(costs.model().image_px), "pixels of a side, or tokens"},
                                  {"macs", text(costs.macs()), "for one sample, without the patch embedding"},
                                  {"ideal", text(costs.ideal_cycles()), "cycles"},
                                  {"batch", text(costs.conditions().batch), ""}};
}

void explain_decision(ModelCosts& costs, const Decision& decision, bool weight_reuse, Explanation& notes) {
  explain_model(costs, notes);
  if (!decision.infeasible.empty()) {
    notes.section("No schedule").lines.push_back({"reason", decision.infeasible, ""});
  }
  if (decision.stages.empty()) return;
  const Evaluation evaluation = evaluate(costs, decision.stages, weight_reuse);
  for (std::size_t s = 0; s < decision.stages.size(); ++s) {
    const workload::TransformerStage& stage = costs.stage(s);
    const StageResult& result = evaluation.stages[s];
    notes.section(fmt::format("Stage {}", s + 1)).lines = {
        {"C", text(stage.channels), ""},
        {"h", text(stage.heads), ""},
        {"branches", text(branch_count(stage)), ""},
        {"schemes", schedule_text(decision.stages[s]), "head split x patch split"},
        {"cycles", text(result.time.total()), ""},
        {"node utilization", text(result.node_utilization), "Eq. (16)"},
        {"weights", bytes(evaluation.memory.stage_weights[s]), "on a node"},
        {"workspace", bytes(evaluation.memory.stage_workspace[s]), "on a node"}};
    for (const Layers& group : decision.stages[s]) explain_partition(costs, s, group, notes);
  }
  notes.section("Whole model").lines = {{"cycles", text(evaluation.time.total()), ""},
                                        {"node utilization", text(evaluation.node_utilization), "Eq. (16)"},
                                        {"weights", bytes(evaluation.memory.weights), "on a node"},
                                        {"workspace", bytes(evaluation.memory.workspace), "on a node"},
                                        {"memory", bytes(evaluation.memory.total()), "left side of Eq. (5)"}};
}

void explain_operators(const OperatorSchedule& schedule, const Machine& machine, Explanation& notes) {
  Explanation::Section& stages = notes.section("Stages");
  for (const OperatorStage& stage : schedule.stages) {
    stages.lines.push_back({stage.first_operator, name_of(stage.partition),
                            fmt::format("{} cycles, {} of them GEMMs", stage.time.total(), stage.time.compute)});
  }
  stages.lines.push_back({"time", fmt::format("{:.6g} s", static_cast<double>(schedule.time.total()) / machine.clock),
                          fmt::format("{} cycles", schedule.time.total())});
}

void explain_gpu(const hardware::gpu::network::Inference& inference, Explanation& notes) {
  notes.section("GPU").lines = {
      {"launches", format_quantity(inference.launching, "s"), "of all kernels"},
      {"work", format_quantity(inference.working, "s"), "of all kernels"},
      {"time", format_quantity(inference.seconds, "s"), ""},
      {"energy", format_quantity(inference.energy.total(), "J"), "idle power, operations, second-level cache, memory"},
  };
  Explanation::Section& kernels = notes.section("Kernels");
  for (const hardware::gpu::network::InferenceKernel& kernel : inference.kernels) {
    kernels.lines.push_back(
        {kernel.node->name, format_quantity(kernel.cost.seconds, "s"), kernel.activation ? "activation" : ""});
  }
}

void explain_interactions(const std::vector<StageInteraction>& interactions, Explanation& notes) {
  for (const StageInteraction& each : interactions) {
    notes.section(fmt::format("Exchange in stage {}, {}", each.stage + 1, each.kind)).lines = {
        {"branches", text(each.places.size()), ""},
        {"dependences", text(each.dependences), "pairs of branches in which one sends data to the other"},
        {"exchanges", text(each.times), "in all blocks of the stage, for one sample"},
        {"handed over", bytes(each.bytes), "in one exchange"},
        {"hops", fmt::format("{:.4g}", each.hops_of_word), "links crossed by a byte"},
        {"hops of a dependence", fmt::format("{:.4g}", each.hops_of_dependence), "whatever its bytes"},
        {"bytes x links", bytes(each.byte_hops), "gathering and scattering included"},
        {"handed over, of these", bytes(each.handover_byte_hops), ""},
        {"busiest link", bytes(each.busiest_link_bytes), ""},
        {"cycles", text(each.cycles), "of one exchange"},
        {"ideal share", fmt::format("{:.4g}", each.ideal_share), "estimate of Sec. IV"}};
  }
}

}  // namespace pimsweep::systems::allspark
