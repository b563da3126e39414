#include "systems/pimflow/split.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::systems::pimflow {

namespace {

constexpr std::int64_t max_rows_tried = 1024;

/// Copies for slicing and padding the input and concatenating the output.
hardware::gpu::KernelCost copies(const Costs& costs, const Node& node) {
  hardware::gpu::KernelCost cost;
  const bool optimized = costs.machine().memory_optimizer;
  // Parts of several images are not contiguous (Sec. 4.3.2 assumes one).
  if (optimized && node.images == 1) return cost;
  cost.then(costs.kernels().copy(node.input_elements()));
  if (!optimized && node.window.kernel.height > 1) cost.then(costs.kernels().copy(node.input_elements()));
  cost.then(costs.kernels().copy(node.output_elements()));
  return cost;
}

void keep_better(Decision& best, const Decision& other) {
  if (other.usage.seconds < best.usage.seconds) best = other;
}

}  // namespace

void visit_steps(Costs& costs, const Node& node, std::int64_t gpu_rows, const StepVisitor& visit) {
  const bool on_gpu_alone = gpu_rows == node.rows();
  const PimCost part = on_gpu_alone ? PimCost{} : costs.pim(node, node.rows() - gpu_rows);
  visit("rows", costs.gpu(node, gpu_rows), part);
  if (!on_gpu_alone && gpu_rows > 0) visit("copies", copies(costs, node), {});
  visit("activation", costs.kernels().activations(node), {});
  visit("sum or product", costs.kernels().merged(node, on_gpu_alone), {});
}

Decision split_at(Costs& costs, const Node& node, std::int64_t gpu_rows) {
  Decision decision;
  decision.gpu_rows = gpu_rows;
  decision.merged_seconds = costs.kernels().merged(node, gpu_rows == node.rows()).seconds;
  decision.mode = gpu_rows == node.rows() ? Mode::gpu : gpu_rows == 0 ? Mode::pim : Mode::split;
  visit_steps(costs, node, gpu_rows,
              [&](std::string_view, const hardware::gpu::KernelCost& kernel, const PimCost& part) {
                decision.usage += costs.together(kernel, part);
              });
  return decision;
}

Decision on_gpu(Costs& costs, const Node& node) { return split_at(costs, node, node.rows()); }

Decision faster_device(Costs& costs, const Node& node) {
  Decision best = on_gpu(costs, node);
  if (!costs.offloads(node)) return best;
  const Decision offloaded = split_at(costs, node, 0);
  if (costs.must_offload(node) && std::isfinite(offloaded.usage.seconds)) return offloaded;
  keep_better(best, offloaded);
  return best;
}

std::int64_t rows_of_share(const Node& node, std::int64_t percent) { return (node.rows() * percent + 99) / 100; }

Decision best_share(Costs& costs, const Node& node, std::int64_t interval) {
  Decision best = faster_device(costs, node);
  if (!costs.offloads(node) || costs.must_offload(node)) return best;
  for (std::int64_t percent = interval; percent < 100; percent += interval) {
    const std::int64_t rows = rows_of_share(node, percent);
    if (rows < node.rows()) keep_better(best, split_at(costs, node, rows));
  }
  return best;
}

Decision best_rows(Costs& costs, const Node& node, std::int64_t interval) {
  Decision best = best_share(costs, node, interval);
  if (!costs.offloads(node) || costs.must_offload(node)) return best;
  const std::int64_t step = (node.rows() + max_rows_tried - 1) / max_rows_tried;
  for (std::int64_t rows = step; rows < node.rows(); rows += step) keep_better(best, split_at(costs, node, rows));
  if (step > 1) {
    const std::int64_t middle = best.gpu_rows;
    const std::int64_t last = std::min(node.rows() - 1, middle + step);
    for (std::int64_t rows = std::max<std::int64_t>(1, middle - step); rows <= last; ++rows) {
      keep_better(best, split_at(costs, node, rows));
    }
  }
  return best;
}

}  // namespace pimsweep::systems::pimflow
