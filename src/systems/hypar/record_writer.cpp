#include "systems/hypar/record_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity.h"
#include "systems/record_builder.h"

namespace pimsweep::systems::hypar {

namespace {

std::int64_t number(std::size_t value) { return static_cast<std::int64_t>(value); }

double forward_macs(const workload::TrainingNetwork& network, Task task) {
  double macs = 0;
  for (const workload::TrainingNode& node : network.nodes) {
    macs += static_cast<double>(node.macs + (task == Task::inference ? node.activation_macs : 0));
  }
  return macs;
}

void write_energy(const TrainingPoint& point, bool counts_all, RecordBuilder& record) {
  const StepEnergy energy = step_energy(point.volumes, point.layer_costs, point.choice.assignment,
                                        point.network_costs.network, point.machine);
  const double printed = energy.arithmetic + energy.exchange;
  const double counted = counts_all ? printed + energy.sram + energy.dram + energy.links : printed;
  record.set("energy", counted);
  record.set("energy_per_image", counted / static_cast<double>(point.batch));
  record.set("arithmetic_energy", energy.arithmetic);
  record.set("sram_energy", energy.sram);
  record.set("dram_energy", energy.dram);
  record.set("exchange_energy", energy.exchange);
  record.set("link_energy", energy.links);
}

/// "dp mp mp dp".
std::string words(std::string_view bits) {
  std::string text;
  for (const char bit : bits) {
    if (!text.empty()) text += ' ';
    text += search::parallelism_name(bit == '1');
  }
  return text;
}

void write_layers(const TrainingPoint& point, RecordBuilder& record) {
  const int levels = point.machine.levels;
  std::vector<std::vector<std::size_t>> inputs(point.network.nodes.size());
  for (std::size_t t = 0; t < point.network.transitions.size(); ++t) {
    inputs[point.network.transitions[t].to].push_back(t);
  }
  for (std::size_t node = 0; node < point.network.nodes.size(); ++node) {
    const workload::TrainingNode& layer = point.network.nodes[node];
    const search::State state = point.choice.assignment[node];
    double intra_total = 0;
    double inter_total = 0;
    for (int level = 1; level <= levels; ++level) {
      double inter = 0;
      for (const std::size_t t : inputs[node]) {
        inter += std::ldexp(point.volumes.forward(t, level) + point.volumes.backward(t, level), level - 1);
      }
      const double intra =
          std::ldexp(point.volumes.features(node, level) + point.volumes.gradient(node, level), level - 1);
      record.add("by_layer_and_level", {layer.name, kind_text(layer), std::int64_t{level},
                                        search::parallelism_name(search::model_parallel(state, level)), intra, inter});
      intra_total += intra;
      inter_total += inter;
    }
    record.add("by_layer",
               {layer.name, kind_text(layer), words(search::state_text(state, levels)), layer.weights,
                layer.output * point.batch, intra_total, inter_total, point.layer_costs.seconds(node, state)});
  }
}

void write_levels(const TrainingPoint& point, RecordBuilder& record) {
  for (int level = 1; level <= point.machine.levels; ++level) {
    const double bytes = point.volumes.pair_bytes(level);
    record.add("by_level", {std::int64_t{level}, std::int64_t{1} << (level - 1), bytes,
                            point.network_costs.network.seconds(static_cast<std::size_t>(level), bytes),
                            words(level_text(point, level))});
  }
}

void write_timeline(const TrainingPoint& point, const SimulatedStep& simulated, RecordBuilder& record) {
  for (hardware::noc::TaskId task = 0; task < simulated.program.size(); ++task) {
    const TaskName& name = simulated.names[task];
    record.add("timeline", {std::int64_t{task}, name.what, point.network.nodes[name.node].name,
                            std::int64_t{simulated.program[task].level}, simulated.timeline.start[task],
                            simulated.timeline.end[task]});
  }
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

}  // namespace

std::string kind_text(const workload::TrainingNode& node) {
  switch (node.kind) {
    case workload::TrainingNode::Kind::convolution:
      return "convolution";
    case workload::TrainingNode::Kind::fully_connected:
      return "fully connected";
    case workload::TrainingNode::Kind::junction:
      break;
  }
  return "junction";
}

std::string layers_text(const TrainingPoint& point) {
  std::string text;
  for (std::size_t node = 0; node < point.network.nodes.size(); ++node) {
    if (!point.network.nodes[node].is_layer()) continue;
    if (!text.empty()) text += ' ';
    text += search::state_text(point.choice.assignment[node], point.machine.levels);
  }
  return text;
}

std::string level_text(const TrainingPoint& point, int level) {
  std::string text;
  for (std::size_t node = 0; node < point.network.nodes.size(); ++node) {
    if (point.network.nodes[node].is_layer()) {
      text += search::model_parallel(point.choice.assignment[node], level) ? '1' : '0';
    }
  }
  return text;
}

double least_time(const TrainingPoint& point) {
  double macs = 0;
  for (std::size_t node = 0; node < point.network.nodes.size(); ++node) {
    for (const Phase phase : kPhases) macs += point.layer_costs.cost(node, point.choice.assignment[node], phase).macs;
  }
  const hardware::noc::ExchangeNetwork& network = point.network_costs.network;
  std::vector<double> bytes(network.bandwidth.size(), 0);
  for (int level = 1; level <= point.machine.levels; ++level) {
    for (const hardware::noc::LinkLoad& load : network.exchanges[static_cast<std::size_t>(level - 1)]) {
      bytes[load.link] += load.share * point.volumes.pair_bytes(level);
    }
  }
  double bound = macs / point.machine.peak_macs();
  for (std::size_t link = 0; link < bytes.size(); ++link)
    bound = std::max(bound, bytes[link] / network.bandwidth[link]);
  return bound;
}

void write_record(const TrainingPoint& point, bool counts_all_energy, const SimulatedStep* simulated,
                  const Schema& schema, Record& out) {
  RecordBuilder record(schema, out);
  const AnalyticTime analytic =
      analytic_time(point.volumes, point.layer_costs, point.choice.assignment, point.network_costs.network);
  const double step_time = simulated != nullptr ? simulated->timeline.makespan : analytic.total();
  record.set("step_time", step_time);
  record.set("throughput", static_cast<double>(point.batch) / step_time);
  record.set("time_per_image", step_time / static_cast<double>(point.batch));
  record.set("compute_time", analytic.computation);
  record.set("exchange_time", analytic.exchange);
  record.set("exposed_exchange_time", std::max(0.0, step_time - analytic.computation));
  record.set("least_time", least_time(point));
  record.set("total_communication", point.volumes.total());
  record.set("macs", forward_macs(point.network, point.bytes.task));
  record.set("weights", point.network.weights());
  record.set("layers", number(point.network.layers()));
  record.set("accelerators", point.machine.accelerators());
  if (point.choice.search_space > 0) record.set("search_space", point.choice.search_space);
  const std::string parallelism = layers_text(point);
  record.set("hybrid", static_cast<std::int64_t>(parallelism.find('0') != std::string::npos &&
                                                 parallelism.find('1') != std::string::npos));
  record.set("parallelism", parallelism);
  record.set("found_by", point.choice.found_by);
  const double memory =
      memory_bytes(point.network, point.machine, point.batch, point.choice.assignment, point.bytes.task);
  record.set("memory_used", memory);
  record.set("caveat", caveat(point.machine, memory, simulated));
  write_energy(point, counts_all_energy, record);
  write_layers(point, record);
  write_levels(point, record);
  if (simulated != nullptr) write_timeline(point, *simulated, record);
  out.status = Status::ok;
}

}  // namespace pimsweep::systems::hypar
