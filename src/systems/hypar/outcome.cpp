#include "systems/hypar/outcome.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/quantity.h"

namespace pimsweep::systems::hypar {

namespace {

double forward_macs(const workload::TrainingNetwork& network, Task task) {
  double macs = 0;
  for (const workload::TrainingNode& node : network.nodes) {
    macs += static_cast<double>(node.macs + (task == Task::inference ? node.activation_macs : 0));
  }
  return macs;
}

double energy_in_scope(const StepEnergy& energy, EnergyScope scope) {
  const double printed = energy.arithmetic + energy.exchange;
  if (scope == EnergyScope::printed) return printed;
  const double moved = printed + energy.sram + energy.links;
  return scope == EnergyScope::all ? moved + energy.dram : moved;
}

hardware::silicon::Parts silicon_parts(const Machine& machine) {
  const auto accelerators = static_cast<double>(machine.accelerators());
  const double units = accelerators * static_cast<double>(machine.units);
  const auto words = static_cast<double>(machine.pe_input_words + machine.pe_filter_words + machine.pe_psum_words);
  hardware::silicon::Parts parts;
  parts.units = units * static_cast<double>(machine.pe_rows * machine.pe_cols);
  parts.sram_bytes = units * machine.buffer + parts.units * words * machine.word;
  parts.logic_dies = accelerators;
  parts.dram_bytes = accelerators * machine.dram_capacity;
  return parts;
}

/// "0011 0000 ..." for the layers, without junctions.
std::string layers_text(const TrainingPoint& point) {
  std::string text;
  for (std::size_t node = 0; node < point.network.nodes.size(); ++node) {
    if (!point.network.nodes[node].is_layer()) continue;
    if (!text.empty()) text += ' ';
    text += search::state_text(point.choice.assignment[node], point.machine.levels);
  }
  return text;
}

void append_parallelism(std::string& text, search::State state, int level) {
  if (!text.empty()) text += ' ';
  text += search::parallelism_name(search::model_parallel(state, level));
}

std::string caveat(const Machine& machine, double memory, const SimulatedStep* simulated) {
  std::string text;
  if (memory > machine.dram_capacity) {
    text = fmt::format("an accelerator would need {} of its {} DRAM", format_quantity(memory, "B"),
                       format_quantity(machine.dram_capacity, "B"));
  }
  if (simulated != nullptr && simulated->timeline.difference > 0.01) {
    if (!text.empty()) text += "; ";
    text += fmt::format("the step was too long for the routers: two continuations differ by {:.1f} %",
                        100 * simulated->timeline.difference);
  }
  return text;
}

Result result_of(const TrainingPoint& point, const SimulatedStep* simulated) {
  const search::Assignment& assignment = point.choice.assignment;
  const AnalyticTime analytic =
      analytic_time(point.volumes, point.layer_costs, assignment, point.network_costs.network);
  const auto batch = static_cast<double>(point.settings.batch);
  Result result;
  result.time = simulated != nullptr ? simulated->timeline.makespan : analytic.total();
  result.throughput = batch / result.time;
  result.time_per_sample = result.time / batch;
  result.compute_time = analytic.computation;
  result.exchange_time = analytic.exchange;
  result.exposed_exchange_time = std::max(0.0, result.time - analytic.computation);
  result.time_lower_bound = time_lower_bound(point);
  result.communication = point.volumes.total();
  result.macs = forward_macs(point.network, point.bytes.accounting.task);
  result.weights = point.network.weights();
  result.layers = point.network.layers();
  result.accelerators = point.machine.accelerators();
  if (const double space = point.choice.search_space; space > 0 && std::isfinite(space)) result.search_space = space;
  result.energies =
      step_energy(point.volumes, point.layer_costs, assignment, point.network_costs.network, point.machine);
  result.energy = energy_in_scope(result.energies, point.settings.energy_scope);
  result.energy_per_sample = result.energy / batch;
  result.memory_used =
      memory_bytes(point.network, point.machine, point.settings.batch, assignment, point.bytes.accounting.task);
  result.parallelism = layers_text(point);
  result.hybrid =
      result.parallelism.find('0') != std::string::npos && result.parallelism.find('1') != std::string::npos;
  result.found_by = point.choice.found_by;
  result.caveat = caveat(point.machine, result.memory_used, simulated);
  result.silicon = devices::estimate_silicon(silicon_parts(point.machine), point.settings.silicon);
  return result;
}

/// Bytes of all pairs of a level, for a node and the transitions into it.
LayerLevelRow layer_level(const TrainingPoint& point, std::size_t node, const std::vector<std::size_t>& inputs,
                          int level) {
  const workload::TrainingNode& layer = point.network.nodes[node];
  const StepVolumes& volumes = point.volumes;
  LayerLevelRow row;
  row.layer = layer.name;
  row.kind = layer.kind;
  row.level = level;
  row.parallelism = search::parallelism_name(search::model_parallel(point.choice.assignment[node], level));
  row.intra_communication = std::ldexp(volumes.features(node, level) + volumes.gradient(node, level), level - 1);
  for (const std::size_t t : inputs) {
    row.inter_communication += std::ldexp(volumes.forward(t, level) + volumes.backward(t, level), level - 1);
  }
  return row;
}

void write_layers(const TrainingPoint& point, const Columns& columns, Record& record) {
  std::vector<std::vector<std::size_t>> inputs(point.network.nodes.size());
  for (std::size_t t = 0; t < point.network.transitions.size(); ++t) {
    inputs[point.network.transitions[t].to].push_back(t);
  }
  for (std::size_t node = 0; node < point.network.nodes.size(); ++node) {
    const workload::TrainingNode& layer = point.network.nodes[node];
    const search::State state = point.choice.assignment[node];
    LayerRow row;
    row.layer = layer.name;
    row.kind = layer.kind;
    row.weights = layer.weights;
    row.features = Count{layer.output} * point.settings.batch;
    for (int level = 1; level <= point.machine.levels; ++level) {
      const LayerLevelRow at_level = layer_level(point, node, inputs[node], level);
      columns.by_layer_and_level.add(at_level, record);
      append_parallelism(row.parallelism, state, level);
      row.intra_communication += at_level.intra_communication;
      row.inter_communication += at_level.inter_communication;
    }
    row.compute_time = point.layer_costs.seconds(node, state);
    columns.by_layer.add(row, record);
  }
}

void write_levels(const TrainingPoint& point, const Columns& columns, Record& record) {
  for (int level = 1; level <= point.machine.levels; ++level) {
    LevelRow row;
    row.level = level;
    row.pairs = std::int64_t{1} << (level - 1);
    row.pair_communication = point.volumes.pair_bytes(level);
    row.exchange_time = point.network_costs.network.seconds(static_cast<std::size_t>(level), row.pair_communication);
    for (std::size_t node = 0; node < point.network.nodes.size(); ++node) {
      if (!point.network.nodes[node].is_layer()) continue;
      append_parallelism(row.parallelism, point.choice.assignment[node], level);
    }
    columns.by_level.add(row, record);
  }
}

}  // namespace

double time_lower_bound(const TrainingPoint& point) {
  double macs = 0;
  for (std::size_t node = 0; node < point.network.nodes.size(); ++node) {
    for (const Phase phase : all_phases) {
      macs += point.layer_costs.cost(node, point.choice.assignment[node], phase).macs;
    }
  }
  const hardware::noc::ExchangeNetwork& network = point.network_costs.network;
  std::vector<double> bytes(network.bandwidth.size(), 0);
  for (int level = 1; level <= point.machine.levels; ++level) {
    for (const hardware::noc::LinkLoad& load : network.exchanges[static_cast<std::size_t>(level - 1)]) {
      bytes[load.link] += load.share * point.volumes.pair_bytes(level);
    }
  }
  double bound = macs / point.machine.peak_macs();
  for (std::size_t link = 0; link < bytes.size(); ++link) {
    bound = std::max(bound, bytes[link] / network.bandwidth[link]);
  }
  return bound;
}

void write_timeline(const TrainingPoint& point, const SimulatedStep& simulated, const Columns& columns,
                    Record& record) {
  for (hardware::noc::TaskId task = 0; task < simulated.program.size(); ++task) {
    const TaskName& name = simulated.names[task];
    const hardware::noc::StepTask& work = simulated.program[task];
    const bool computes = work.is_computation();
    const int pairs = computes ? 0 : static_cast<int>(work.level) - 1;
    columns.timeline.add(
        {task, name.what, point.network.nodes[name.node].name, work.level, simulated.timeline.start[task],
         simulated.timeline.end[task], computes ? "accelerators" : fmt::format("links of level {}", work.level),
         computes ? 0 : std::ldexp(work.amount, pairs),
         fmt::format("{}", fmt::join(simulated.program.after(task), " "))},
        record);
  }
}

void write_outcome(const TrainingPoint& point, const SimulatedStep* simulated, const Columns& columns, Record& record) {
  columns.metrics.write(result_of(point, simulated), record);
  write_layers(point, columns, record);
  write_levels(point, columns, record);
  if (simulated != nullptr) write_timeline(point, *simulated, columns, record);
  record.status = Status::ok;
}

}  // namespace pimsweep::systems::hypar
