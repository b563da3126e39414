#include <algorithm>
#include <span>

#include "systems/pimflow/outcome.h"
#include "systems/pimflow/pipeline.h"
#include "systems/pimflow/split.h"

namespace pimsweep::systems::pimflow {

namespace {

/// Writes consecutive steps, each with a row per busy device.
class TimelineWriter {
 public:
  TimelineWriter(const Costs& costs, const Columns& columns, Record& record)
      : costs_(costs), columns_(columns), record_(record) {}

  /// `gpu` and `pim`: names of the work on each device.
  void step(std::string_view what, const std::string& gpu, const std::string& pim,
            const hardware::gpu::KernelCost& kernel, const PimCost& part) {
    const Usage usage = costs_.together(kernel, part);
    if (usage.seconds == 0) return;
    const double ready = std::max(usage.gpu_busy, usage.pim_busy);
    row(gpu, what, "GPU", 0, usage.gpu_busy, kernel.memory_bytes);
    row(pim, what, "PIM", 0, usage.pim_busy, part.fetched_once);
    row("GPU and PIM", "synchronization", "host", ready, usage.seconds, 0);
    now_ += usage.seconds;
    ++task_;
  }

 private:
  /// Times are relative to the step.
  void row(const std::string& layer, std::string_view what, std::string_view device, double start, double end,
           double bytes) {
    if (start == end) return;
    columns_.timeline.add({task_, layer, what, device, now_ + start, now_ + end, bytes,
                           task_ == 0 ? std::string() : std::to_string(task_ - 1)},
                          record_);
  }

  const Costs& costs_;
  const Columns& columns_;
  Record& record_;
  double now_ = 0;
  std::int64_t task_ = 0;
};

void write_pipeline(InferencePoint& point, const Pipeline& pipeline, TimelineWriter& writer) {
  visit_pipeline_steps(point.costs, point.network, pipeline.nodes, pipeline.stages,
                       [&](std::string_view what, std::span<const std::size_t> nodes,
                           const hardware::gpu::KernelCost& kernels, const PimCost& parts) {
                         std::string gpu;
                         std::string pim;
                         for (const std::size_t node : nodes) {
                           const bool is_alone = parts.seconds == 0;
                           std::string& names = is_alone || point.network[node].kind == NodeKind::depthwise ? gpu : pim;
                           names += (names.empty() ? "" : " + ") + std::string(point.network[node].name);
                         }
                         writer.step(what, gpu, pim, kernels, parts);
                       });
}

}  // namespace

void write_timeline(InferencePoint& point, const Columns& columns, Record& record) {
  TimelineWriter writer(point.costs, columns, record);
  for (std::size_t i = 0; i < point.network.size(); ++i) {
    const Node& node = point.network[i];
    const Decision& decision = point.plan.decisions[i];
    if (decision.mode == Mode::pipeline) {
      const auto begins = [&](const Pipeline& pipeline) { return pipeline.chosen && pipeline.nodes.front() == i; };
      const auto found = std::ranges::find_if(point.plan.pipelines, begins);
      if (found != point.plan.pipelines.end()) write_pipeline(point, *found, writer);
      continue;
    }
    const std::string name(node.name);
    visit_steps(point.costs, node, decision.gpu_rows,
                [&](std::string_view what, const hardware::gpu::KernelCost& kernel, const PimCost& part) {
                  writer.step(what, name, name, kernel, part);
                });
  }
}

}  // namespace pimsweep::systems::pimflow
