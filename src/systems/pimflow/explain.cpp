#include "systems/pimflow/explain.h"

#include <fmt/format.h>

#include "base/quantity.h"
#include "systems/devices/gpu_roofline.h"
#include "systems/pimflow/outcome.h"
#include "systems/pimflow/split.h"

namespace pimsweep::systems::pimflow {

namespace {

std::string seconds(double value) { return format_quantity(value, "s"); }

void explain_machine(const InferencePoint& point, Explanation& explanation) {
  const Machine& machine = point.costs.machine();
  auto& lines = explanation.section("machine").lines;
  lines.push_back({"GPU's memory bandwidth", format_quantity(machine.gpu.memory_bandwidth, "B/s"),
                   "channels left to the GPU, before memory.efficiency"});
  lines.push_back({"PIM channels", fmt::format("{}", machine.pim.channels), ""});
  if (machine.pim.channels == 0) return;
  lines.push_back(
      {"PIM clock", format_quantity(machine.dram.clock, "Hz"), "seconds on PIM are cycles divided by the clock"});
  lines.push_back({"global buffers", fmt::format("{}", machine.pim.n_gwrite),
                   machine.pim.gwrite_hiding ? "GWRITEs are hidden" : "GWRITEs are not hidden"});
}

std::string choice_text(const InferencePoint& point, std::size_t i) {
  const Decision& decision = point.plan.decisions[i];
  if (decision.mode != Mode::split) return std::string(word_of(mode_words, decision.mode));
  return fmt::format("split, GPU {} of {} rows", decision.gpu_rows, point.network[i].rows());
}

void explain_layers(InferencePoint& point, Explanation& explanation) {
  auto& lines = explanation.section("layers").lines;
  for (std::size_t i = 0; i < point.network.size(); ++i) {
    const Node& node = point.network[i];
    std::string note =
        fmt::format("{}; whole on the GPU {}", choice_text(point, i), seconds(on_gpu(point.costs, node).usage.seconds));
    if (point.costs.offloads(node)) {
      note += fmt::format(", on PIM {}", seconds(split_at(point.costs, node, 0).usage.seconds));
    }
    lines.push_back({node.name, seconds(point.plan.decisions[i].usage.seconds), note});
  }
}

void explain_pipelines(const InferencePoint& point, Explanation& explanation) {
  if (point.plan.pipelines.empty()) return;
  auto& lines = explanation.section("pipelines").lines;
  for (const Pipeline& pipeline : point.plan.pipelines) {
    lines.push_back(
        {fmt::format("{} .. {}", point.network[pipeline.nodes.front()].name, point.network[pipeline.nodes.back()].name),
         seconds(pipeline.usage.seconds),
         fmt::format("{}, {} stages; in sequence {}{}", pipeline.pattern, pipeline.stages, seconds(pipeline.apart),
                     pipeline.chosen ? "; chosen" : "")});
  }
}

void explain_totals(const InferencePoint& point, Explanation& explanation) {
  const TimeByKind time = time_by_kind(point.network, point.plan);
  const Usage& total = point.plan.total;
  auto& lines = explanation.section("time and energy").lines;
  lines.push_back({"1x1 convolutions", seconds(time.pointwise), ""});
  lines.push_back({"larger convolutions", seconds(time.convolution), ""});
  lines.push_back({"depthwise convolutions", seconds(time.depthwise), ""});
  lines.push_back({"fully connected", seconds(time.fully_connected), ""});
  lines.push_back({"other", seconds(time.other), ""});
  lines.push_back({"time", seconds(total.seconds), "sum of the above"});
  lines.push_back({"GPU busy", seconds(total.gpu_busy), ""});
  lines.push_back({"PIM busy", seconds(total.pim_busy), ""});
  lines.push_back({"GPU static", format_quantity(point.costs.machine().gpu.idle_power * total.seconds, "J"),
                   "idle power over the time"});
  lines.push_back({"GPU dynamic", format_quantity(total.gpu_joules, "J"), "operations, cache and memory"});
  lines.push_back({"PIM", format_quantity(total.pim_joules, "J"), "commands of all channels"});
}

}  // namespace

Roofline roofline_of(const InferencePoint& point) {
  const Machine& machine = point.costs.machine();
  const Usage& total = point.plan.total;
  Roofline found;
  found.parts.push_back(
      devices::gpu_roofline(machine.gpu, machine.precision, total.gpu_operations, total.gpu_bytes, total.seconds));
  double macs = 0;
  for (std::size_t i = 0; i < point.network.size(); ++i) {
    const Node& node = point.network[i];
    const Decision& decision = point.plan.decisions[i];
    if (!node.dense() || decision.mode == Mode::gpu) continue;
    const auto rows = static_cast<double>(node.rows());
    macs += static_cast<double>(node.macs) * (rows - static_cast<double>(decision.gpu_rows)) / rows;
  }
  if (macs == 0) return found;
  const double peak = static_cast<double>(machine.pim.channels) * machine.dram.multiply_rate();
  found.parts.push_back({.name = "PIM",
                         .operations = 2 * macs,
                         .memory_bytes = pim_word * macs,
                         .time = total.seconds,
                         .peak_rate = 2 * peak,
                         .memory_bandwidth = pim_word * peak});
  return found;
}

void explain_point(InferencePoint& point, Explanation& explanation) {
  explain_machine(point, explanation);
  explain_layers(point, explanation);
  explain_pipelines(point, explanation);
  explain_totals(point, explanation);
}

}  // namespace pimsweep::systems::pimflow
