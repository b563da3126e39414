#include "systems/pimflow/record_writer.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "systems/pimflow/split.h"
#include "systems/record_builder.h"

namespace pimsweep::systems::pimflow {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

double real(std::int64_t value) { return static_cast<double>(value); }

double pim_time(InferencePoint& point, const Node& node) {
  if (!point.costs.offloads(node)) return missing;
  const double seconds = split_at(point.costs, node, 0).usage.seconds;
  return std::isfinite(seconds) ? seconds : missing;
}

/// Returns how many candidates cannot run on PIM at all.
int write_layers(InferencePoint& point, RecordBuilder& record) {
  int impossible = 0;
  for (std::size_t i = 0; i < point.network.size(); ++i) {
    const Node& node = point.network[i];
    const Decision& decision = point.plan.decisions[i];
    const double gpu = on_gpu(point.costs, node).usage.seconds;
    const double pim = pim_time(point, node);
    if (point.costs.offloads(node) && std::isnan(pim)) ++impossible;
    record.add("by_layer",
               {static_cast<std::int64_t>(i), node.name, std::string(hardware::gpu::network::name_of(node.kind)),
                std::int64_t{node.dense()}, node.window.kernel.height, std::string(name_of(decision.mode)),
                real(decision.mode == Mode::split), node.rows(), decision.gpu_rows, decision.usage.seconds,
                decision.usage.gpu_busy, decision.usage.pim_busy, gpu, pim, gpu / pim, node.macs, node.intensity()});
  }
  return impossible;
}

void write_splits(InferencePoint& point, RecordBuilder& record) {
  for (std::size_t i = 0; i < point.network.size(); ++i) {
    const Node& node = point.network[i];
    if (!point.costs.offloads(node)) continue;
    const Decision& decision = point.plan.decisions[i];
    bool found = decision.mode == Mode::pipeline;
    const auto add = [&](std::int64_t percent, std::int64_t rows) {
      const bool chosen = !found && rows == decision.gpu_rows;
      found = found || chosen;
      record.add("splits", {node.name, percent, split_at(point.costs, node, rows).usage.seconds, real(chosen)});
    };
    for (std::int64_t percent = 0; percent < 100; percent += point.split_interval) {
      add(percent, rows_of_share(node, percent));
    }
    // A share that rounds up to all rows is the GPU alone, like 100 %.
    add(100, node.rows());
  }
}

void write_pipelines(const InferencePoint& point, RecordBuilder& record) {
  for (const Pipeline& pipeline : point.plan.pipelines) {
    record.add("pipelines", {std::string(pipeline.pattern), point.network[pipeline.nodes.front()].name,
                             point.network[pipeline.nodes.back()].name, pipeline.stages, pipeline.usage.seconds,
                             pipeline.apart, pipeline.apart / pipeline.usage.seconds, std::int64_t{pipeline.chosen}});
  }
}

void write_choices(const InferencePoint& point, RecordBuilder& record) {
  double counts[4] = {};
  double candidates = 0;
  for (std::size_t i = 0; i < point.network.size(); ++i) {
    if (!point.network[i].dense()) continue;
    ++candidates;
    ++counts[static_cast<std::size_t>(point.plan.decisions[i].mode)];
  }
  record.set("candidates", candidates);
  if (candidates == 0) return;
  const auto share = [&](Mode mode) { return counts[static_cast<std::size_t>(mode)] / candidates; };
  record.set("candidates_on_gpu", share(Mode::gpu));
  record.set("candidates_on_pim", share(Mode::pim));
  record.set("candidates_split", share(Mode::split));
  record.set("candidates_pipelined", share(Mode::pipeline));
}

void write_speedup(InferencePoint& point, RecordBuilder& record) {
  Plan plan;
  for (const Node& node : point.network) {
    plan.decisions.push_back(on_gpu(point.baseline, node));
    plan.total += plan.decisions.back().usage;
  }
  record.set("baseline_time", plan.total.seconds);
  record.set("speedup", plan.total.seconds / point.plan.total.seconds);
  const double convolutions = time_by_kind(point.network, point.plan).candidate_convolutions();
  if (convolutions > 0) {
    record.set("candidate_convolution_speedup",
               time_by_kind(point.network, plan).candidate_convolutions() / convolutions);
  }
}

std::string caveat(const InferencePoint& point, int impossible) {
  std::string text;
  if (point.policy.divides_memory) text = "no energy for G_ACT and REF unless set: not published";
  if (impossible > 0) {
    text += fmt::format("{}{} layers cannot run on PIM with this DRAM and controller", text.empty() ? "" : "; ",
                        impossible);
  }
  return text;
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
    sum += plan.decisions[i].usage.seconds;
  }
  return time;
}

void write_record(InferencePoint& point, const Schema& schema, Record& out) {
  RecordBuilder record(schema, out);
  const Usage& total = point.plan.total;
  record.set("time", total.seconds);
  write_speedup(point, record);
  record.set("throughput", real(point.batch) / total.seconds);
  record.set("time_per_image", total.seconds / real(point.batch));
  const TimeByKind time = time_by_kind(point.network, point.plan);
  record.set("pointwise_time", time.pointwise);
  record.set("convolution_time", time.convolution);
  record.set("candidate_convolution_time", time.candidate_convolutions());
  record.set("depthwise_time", time.depthwise);
  record.set("fully_connected_time", time.fully_connected);
  record.set("other_time", time.other);
  record.set("all_convolution_time", time.candidate_convolutions() + time.depthwise);
  record.set("gpu_busy", total.gpu_busy);
  record.set("pim_busy", total.pim_busy);
  record.set("gpu_idle", 1 - total.gpu_busy / total.seconds);
  record.set("pim_idle", 1 - total.pim_busy / total.seconds);
  const double idle = point.costs.machine().gpu.idle_power * total.seconds;
  const double joules = idle + total.gpu_joules + total.pim_joules;
  record.set("energy", joules);
  record.set("energy_per_image", joules / real(point.batch));
  record.set("gpu_static_energy", idle);
  record.set("gpu_dynamic_energy", total.gpu_joules);
  record.set("pim_energy", total.pim_joules);
  record.set("pim_channels", point.costs.machine().pim.channels);
  record.set("nodes", static_cast<std::int64_t>(point.network.size()));
  write_choices(point, record);
  std::int64_t chosen = 0;
  for (const Pipeline& pipeline : point.plan.pipelines) chosen += std::int64_t{pipeline.chosen};
  record.set("pipelines_chosen", chosen);
  record.set("pipelines_possible", static_cast<std::int64_t>(point.plan.pipelines.size()));
  double macs = 0;
  for (const Node& node : point.network) macs += real(node.macs);
  record.set("macs", macs);
  const int impossible = write_layers(point, record);
  if (point.policy.tries_shares) write_splits(point, record);
  write_pipelines(point, record);
  record.set("caveat", caveat(point, impossible));
  out.status = Status::ok;
}

}  // namespace pimsweep::systems::pimflow
