#include "systems/pimflow/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "systems/pimflow/split.h"

namespace pimsweep::systems::pimflow {

namespace {

double as_real(std::int64_t value) { return static_cast<double>(value); }

/// Time of a node with `gpu_rows` of its rows on the GPU; empty if PIM cannot run the remaining rows.
std::optional<double> split_time(InferencePoint& point, const Node& node, std::int64_t gpu_rows) {
  const double seconds = split_at(point.costs, node, gpu_rows).usage.seconds;
  return std::isfinite(seconds) ? std::optional(seconds) : std::nullopt;
}

/// Time of a whole node on PIM; empty where it cannot run there.
std::optional<double> pim_time(InferencePoint& point, const Node& node) {
  return point.costs.offloads(node) ? split_time(point, node, 0) : std::nullopt;
}

/// For each node, true if it is the first convolution of its shape that may run on PIM.
std::vector<bool> unique_convolutions(const Network& network) {
  std::set<std::array<std::int64_t, 9>> shapes;
  std::vector<bool> unique(network.size());
  for (std::size_t i = 0; i < network.size(); ++i) {
    const Node& node = network[i];
    if (node.kind != NodeKind::convolution) continue;
    const workload::ConvolutionWindow& window = node.window;
    unique[i] = shapes
                    .insert({node.height, node.width, node.inputs, node.outputs, window.kernel.height,
                             window.kernel.width, window.stride, window.padding.height, window.padding.width})
                    .second;
  }
  return unique;
}

/// Returns how many candidates cannot run on PIM at all.
int write_layers(InferencePoint& point, const Columns& columns, Record& record) {
  const std::vector<bool> unique = unique_convolutions(point.network);
  int impossible = 0;
  for (std::size_t i = 0; i < point.network.size(); ++i) {
    const Node& node = point.network[i];
    const Decision& decision = point.plan.decisions[i];
    LayerRow row;
    row.place = i;
    row.layer = node.name;
    row.kind = hardware::gpu::network::name_of(node.kind);
    row.candidate = node.dense();
    row.unique_convolution = unique[i];
    row.kernel = node.window.kernel.height;
    row.choice = decision.mode;
    row.split = decision.mode == Mode::split;
    row.rows = node.rows();
    row.gpu_rows = decision.gpu_rows;
    row.usage = decision.usage;
    row.gpu_time = on_gpu(point.costs, node).usage.seconds;
    row.pim_time = pim_time(point, node);
    if (row.pim_time) row.pim_speedup = row.gpu_time / *row.pim_time;
    if (point.costs.offloads(node) && !row.pim_time) ++impossible;
    row.macs = node.macs;
    row.intensity = node.intensity();
    columns.by_layer.add(row, record);
  }
  return impossible;
}

void write_splits(InferencePoint& point, const Columns& columns, Record& record) {
  const std::vector<bool> unique = unique_convolutions(point.network);
  for (std::size_t i = 0; i < point.network.size(); ++i) {
    const Node& node = point.network[i];
    if (!point.costs.offloads(node)) continue;
    const Decision& decision = point.plan.decisions[i];
    bool found = decision.mode == Mode::pipeline;
    const auto add = [&](std::int64_t percent, std::int64_t rows) {
      const bool chosen = !found && rows == decision.gpu_rows;
      found = found || chosen;
      columns.splits.add({node.name, unique[i], percent, split_time(point, node, rows), chosen}, record);
    };
    const std::int64_t interval = point.settings.split_interval;
    for (std::int64_t percent = 0; percent < 100; percent += interval) add(percent, rows_of_share(node, percent));
    // A share that rounds up to all rows is the GPU alone, like 100 %.
    add(100, node.rows());
  }
}

void write_pipelines(const InferencePoint& point, const Columns& columns, Record& record) {
  for (const Pipeline& pipeline : point.plan.pipelines) {
    columns.pipelines.add({pipeline.pattern, point.network[pipeline.nodes.front()].name,
                           point.network[pipeline.nodes.back()].name, pipeline.stages, pipeline.usage.seconds,
                           pipeline.apart, pipeline.apart / pipeline.usage.seconds, pipeline.chosen},
                          record);
  }
}

void set_candidates(const InferencePoint& point, Result& result) {
  std::array<std::int64_t, mode_words.size()> counts{};
  for (std::size_t i = 0; i < point.network.size(); ++i) {
    if (!point.network[i].dense()) continue;
    ++result.candidates;
    ++counts[static_cast<std::size_t>(point.plan.decisions[i].mode)];
  }
  if (result.candidates == 0) return;
  const auto share = [&](Mode mode) {
    return as_real(counts[static_cast<std::size_t>(mode)]) / as_real(result.candidates);
  };
  result.shares = {share(Mode::gpu), share(Mode::pim), share(Mode::split), share(Mode::pipeline)};
}

void set_times(InferencePoint& point, Result& result) {
  const Usage& total = point.plan.total;
  result.time = total.seconds;
  result.throughput = as_real(point.settings.batch) / total.seconds;
  result.time_per_sample = total.seconds / as_real(point.settings.batch);
  result.times = time_by_kind(point.network, point.plan);
  result.candidate_convolution_time = result.times.candidate_convolutions();
  result.all_convolution_time = result.times.all_convolutions();
  result.gpu_busy = total.gpu_busy;
  result.pim_busy = total.pim_busy;
  result.gpu_idle = 1 - total.gpu_busy / total.seconds;
  result.pim_idle = 1 - total.pim_busy / total.seconds;
  Plan baseline;
  for (const Node& node : point.network) {
    baseline.decisions.push_back(on_gpu(point.baseline, node));
    baseline.total += baseline.decisions.back().usage;
  }
  result.baseline_time = baseline.total.seconds;
  result.speedup = result.baseline_time / result.time;
  const TimeByKind before = time_by_kind(point.network, baseline);
  if (result.candidate_convolution_time > 0) {
    result.candidate_convolution_speedup = before.candidate_convolutions() / result.candidate_convolution_time;
  }
  if (result.all_convolution_time > 0) {
    result.all_convolution_speedup = before.all_convolutions() / result.all_convolution_time;
    result.speedup_beyond_convolutions = result.speedup / *result.all_convolution_speedup;
  }
}

void set_energy(const InferencePoint& point, Result& result) {
  result.gpu_static_energy = point.costs.machine().gpu.idle_power * point.plan.total.seconds;
  result.gpu_dynamic_energy = point.plan.total.gpu_joules;
  result.pim_energy = point.plan.total.pim_joules;
  result.energy = result.gpu_static_energy + result.gpu_dynamic_energy + result.pim_energy;
  result.energy_per_sample = result.energy / as_real(point.settings.batch);
}

/// Each bank of a PIM channel has its own logic, on the memory die.
hardware::silicon::Parts silicon_parts(const Machine& machine) {
  hardware::silicon::Parts parts;
  parts.processors = 1;
  parts.units = as_real(machine.pim.channels * machine.dram.banks);
  parts.logic_dies = as_real(std::max(std::int64_t{1}, machine.pim.channels));
  return parts;
}

std::string caveat(const InferencePoint& point, int impossible) {
  std::string text;
  if (point.settings.policy->divides_memory) text = "no energy for G_ACT and REF unless set: not published";
  if (impossible > 0) {
    text += fmt::format("{}{} layers cannot run on PIM with this DRAM and controller", text.empty() ? "" : "; ",
                        impossible);
  }
  return text;
}

Result result_of(InferencePoint& point, int impossible) {
  Result result;
  set_times(point, result);
  set_energy(point, result);
  set_candidates(point, result);
  result.pim_channels = point.costs.machine().pim.channels;
  result.nodes = point.network.size();
  for (const Pipeline& pipeline : point.plan.pipelines) result.pipelines_chosen += pipeline.chosen ? 1 : 0;
  result.pipelines_possible = point.plan.pipelines.size();
  for (const Node& node : point.network) result.macs += as_real(node.macs);
  result.caveat = caveat(point, impossible);
  result.silicon = devices::estimate_silicon(silicon_parts(point.costs.machine()), point.settings.silicon);
  return result;
}

}  // namespace

TimeByKind time_by_kind(const Network& network, const Plan& plan) {
  TimeByKind time;
  for (std::size_t i = 0; i < network.size(); ++i) {
    const Node& node = network[i];
    double& sum = node.pointwise()                         ? time.pointwise
                  : node.kind == NodeKind::convolution     ? time.convolution
                  : node.kind == NodeKind::depthwise       ? time.depthwise
                  : node.kind == NodeKind::fully_connected ? time.fully_connected
                                                           : time.other;
    sum += plan.decisions[i].usage.seconds - plan.decisions[i].merged_seconds;
    time.other += plan.decisions[i].merged_seconds;
  }
  return time;
}

void write_outcome(InferencePoint& point, const Columns& columns, Record& record) {
  const int impossible = write_layers(point, columns, record);
  if (point.settings.policy->tries_shares) write_splits(point, columns, record);
  write_pipelines(point, columns, record);
  if (point.settings.record_timeline) write_timeline(point, columns, record);
  columns.metrics.write(result_of(point, impossible), record);
  record.status = Status::ok;
}

}  // namespace pimsweep::systems::pimflow
