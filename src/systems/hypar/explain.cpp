#include "systems/hypar/explain.h"

#include <fmt/format.h>

#include "base/quantity.h"
#include "systems/hypar/outcome.h"

namespace pimsweep::systems::hypar {

namespace {

std::string bytes(double count) { return format_quantity(count, "B"); }
std::string seconds(double count) { return format_quantity(count, "s"); }
std::string joules(double count) { return format_quantity(count, "J"); }

void explain_machine(const TrainingPoint& point, Explanation& notes) {
  const Machine& machine = point.machine;
  notes.section("Machine").lines = {
      {"accelerators", fmt::format("{}", machine.accelerators()), fmt::format("2^{}", machine.levels)},
      {"peak rate", fmt::format("{:.6g} MAC/s", machine.peak_macs()),
       fmt::format("per accelerator: {} units of {} x {} PEs at {}", machine.units, machine.pe_rows, machine.pe_cols,
                   format_quantity(machine.clock, "Hz"))},
      {"utilization", fmt::format("{}", machine.utilization),
       "share of PE cycles that do work (compute model throughput)"},
      {"DRAM", format_quantity(machine.dram_bandwidth, "B/s"), "per accelerator"},
      {"link", format_quantity(machine.link_bandwidth, "B/s"), "in each direction"},
  };
}

void explain_layer(const TrainingPoint& point, std::size_t node, Explanation& notes) {
  const workload::TrainingNode& layer = point.network.nodes[node];
  const search::State state = point.choice.assignment[node];
  Explanation::Section& section = notes.section(fmt::format("{} ({})", layer.name, kind_name(layer.kind)));
  section.lines.push_back(
      {"parallelism", search::state_text(state, point.machine.levels), "level H1 first: 0 dp, 1 mp"});
  if (layer.is_layer()) {
    section.lines.push_back({"A(W)", fmt::format("{}", layer.weights), "words"});
    section.lines.push_back({"A(F_l)", fmt::format("{}", layer.input), "words per sample"});
    section.lines.push_back({"A(F_l+1)", fmt::format("{}", layer.output),
                             fmt::format("words per sample after pooling, {} before", layer.product_output)});
    for (const auto& [name, phase] : {std::pair{"forward", Phase::forward}, std::pair{"error", Phase::error},
                                      std::pair{"gradient", Phase::gradient}}) {
      const PhaseCost& cost = point.layer_costs.cost(node, state, phase);
      section.lines.push_back({name, seconds(cost.seconds),
                               fmt::format("{:.6g} MAC, {:.6g} words of DRAM and {:.6g} of SRAM on an accelerator",
                                           cost.macs, cost.dram_words, cost.sram_words)});
    }
  }
  for (int level = 1; level <= point.machine.levels; ++level) {
    std::string text = fmt::format("F summed {}, dW summed {}", bytes(point.volumes.features(node, level)),
                                   bytes(point.volumes.gradient(node, level)));
    for (std::size_t t = 0; t < point.network.transitions.size(); ++t) {
      if (point.network.transitions[t].to != node) continue;
      text += fmt::format("; from {}: F {}, E {}", point.network.nodes[point.network.transitions[t].from].name,
                          bytes(point.volumes.forward(t, level)), bytes(point.volumes.backward(t, level)));
    }
    section.lines.push_back({fmt::format("H{}", level), text, "per pair"});
  }
}

void explain_totals(const TrainingPoint& point, Explanation& notes) {
  const AnalyticTime time =
      analytic_time(point.volumes, point.layer_costs, point.choice.assignment, point.network_costs.network);
  const StepEnergy energy = step_energy(point.volumes, point.layer_costs, point.choice.assignment,
                                        point.network_costs.network, point.machine);
  Explanation::Section& section = notes.section("Step");
  section.lines.push_back({"found by", std::string(point.choice.found_by), ""});
  for (int level = 1; level <= point.machine.levels; ++level) {
    const double pair = point.volumes.pair_bytes(level);
    section.lines.push_back(
        {fmt::format("H{}", level), bytes(pair),
         fmt::format("per pair, {} pairs, {}", std::int64_t{1} << (level - 1),
                     seconds(point.network_costs.network.seconds(static_cast<std::size_t>(level), pair)))});
  }
  section.lines.push_back({"communication", bytes(point.volumes.total()), "all pairs of all levels (Algorithm 2)"});
  section.lines.push_back({"computation", seconds(time.computation), ""});
  section.lines.push_back({"exchange", seconds(time.exchange), "each exchange alone on the links"});
  section.lines.push_back({"step", seconds(time.total()), "without overlap"});
  section.lines.push_back({"lower bound", seconds(time_lower_bound(point)), "GEMMs at peak rate, or the busiest link"});
  section.lines.push_back({"arithmetic", joules(energy.arithmetic), ""});
  section.lines.push_back({"SRAM", joules(energy.sram), ""});
  section.lines.push_back({"DRAM", joules(energy.dram), "operands of the GEMMs"});
  section.lines.push_back({"exchanged words", joules(energy.exchange), "in DRAM"});
  section.lines.push_back({"links", joules(energy.links), ""});
}

}  // namespace

RooflinePart roofline_part(const TrainingPoint& point, double time) {
  const Machine& machine = point.machine;
  const auto accelerators = static_cast<double>(machine.accelerators());
  RooflinePart part{.name = "accelerators",
                    .time = time,
                    .peak_rate = 2 * accelerators * machine.peak_macs(),
                    .memory_bandwidth = accelerators * machine.dram_bandwidth};
  for (std::size_t node = 0; node < point.network.nodes.size(); ++node) {
    for (const Phase phase : all_phases) {
      const PhaseCost& cost = point.layer_costs.cost(node, point.choice.assignment[node], phase);
      part.operations += 2 * accelerators * cost.macs;
      part.memory_bytes += accelerators * cost.dram_words * machine.word;
    }
  }
  return part;
}

void explain_point(const TrainingPoint& point, Explanation& explanation) {
  explain_machine(point, explanation);
  for (std::size_t node = 0; node < point.network.nodes.size(); ++node) explain_layer(point, node, explanation);
  explain_totals(point, explanation);
}

}  // namespace pimsweep::systems::hypar
