#include "systems/pimflow/costs.h"

#include <algorithm>
#include <limits>

#include "base/checked.h"

namespace pimsweep::systems::pimflow {

namespace {

double real(std::int64_t value) { return static_cast<double>(value); }

/// PIM does not support batches: the rows of all images are stacked.
hardware::newton::Layer pim_layer(const Node& node, std::int64_t rows) {
  const bool whole = rows == node.rows() && node.images == 1;
  const Count stacked = (Count{node.images} * rows - 1) * node.window.stride + node.window.kernel.height;
  return {.height = whole ? node.height : std::int64_t{stacked},
          .width = node.width,
          .inputs = node.inputs,
          .outputs = node.outputs,
          .kernel_height = node.window.kernel.height,
          .kernel_width = node.window.kernel.width,
          .stride = node.window.stride,
          .pad_height = whole ? node.window.padding.height : 0,
          .pad_width = node.window.padding.width};
}

}  // namespace

Usage& Usage::operator+=(const Usage& other) {
  seconds += other.seconds;
  gpu_busy += other.gpu_busy;
  pim_busy += other.pim_busy;
  gpu_joules += other.gpu_joules;
  pim_joules += other.pim_joules;
  gpu_operations += other.gpu_operations;
  gpu_bytes += other.gpu_bytes;
  return *this;
}

PimCost& PimCost::operator+=(const PimCost& other) {
  seconds += other.seconds;
  joules += other.joules;
  fetched_once += other.fetched_once;
  fetched_each += other.fetched_each;
  return *this;
}

bool Costs::offloads(const Node& node) const {
  return (node.kind == NodeKind::convolution && machine_.offload.convolutions) ||
         (node.kind == NodeKind::fully_connected && machine_.offload.fully_connected);
}

bool Costs::must_offload(const Node& node) const {
  return node.kind == NodeKind::fully_connected && machine_.fully_connected_on_pim && offloads(node);
}

PimCost Costs::pim(const Node& node, std::int64_t rows) {
  if (rows == 0) return {};
  const hardware::newton::Layer layer = pim_layer(node, rows);
  return on_pim_.get({layer.height, layer.width, layer.inputs, layer.outputs, layer.kernel_height, layer.kernel_width,
                      layer.stride, layer.pad_height, layer.pad_width},
                     [&] { return evaluate(layer); });
}

hardware::gpu::KernelCost Costs::gpu(const Node& node, std::int64_t rows) {
  if (rows == 0 || node.kind == NodeKind::other) return kernels_.rows(node, rows);
  return on_gpu_.get(
      {node.kind,
       {node.images, node.height, node.width, node.inputs, node.outputs, node.out_height, node.out_width},
       node.window,
       node.gate,
       rows},
      [&] { return kernels_.rows(node, rows); });
}

PimCost Costs::evaluate(const hardware::newton::Layer& layer) {
  const hardware::newton::Result& result = newton_(layer, machine_.dram, machine_.pim);
  PimCost cost;
  if (!result.failure.empty()) {
    cost.seconds = std::numeric_limits<double>::infinity();
    return cost;
  }
  cost.seconds = real(result.busiest.cycles) / machine_.dram.clock;
  cost.joules = hardware::newton::energy(result.all_channels, machine_.dram);
  const std::int64_t row = machine_.dram.row_elements();
  const std::int64_t filled = layer.filter() >= row ? row : row / layer.filter() * layer.filter();
  cost.fetched_once = real(Count{layer.pixels()} * layer.filter()) * pim_word;
  cost.fetched_each = real(Count{result.all_channels.buffers} * filled) * pim_word;
  return cost;
}

double Costs::contended(const hardware::gpu::KernelCost& kernel, const PimCost& part) const {
  if (machine_.contention == Contention::none || kernel.seconds == 0) return kernel.seconds;
  const double fetched = machine_.contention == Contention::broadcast ? part.fetched_once : part.fetched_each;
  const double rate = machine_.gpu.memory_bandwidth * machine_.gpu.memory_efficiency;
  // Controllers held by PIM delay only a kernel that needs all of its memory time. PIM holds them at most as long as it
  // runs.
  const double held = std::min(fetched / rate, part.seconds);
  return std::max(kernel.seconds, kernel.memory_bytes / rate + held + kernel.launches * machine_.gpu.launch);
}

Usage Costs::together(const hardware::gpu::KernelCost& kernel, const PimCost& part) const {
  Usage usage;
  usage.gpu_busy = contended(kernel, part);
  usage.pim_busy = part.seconds;
  usage.seconds = std::max(usage.gpu_busy, usage.pim_busy);
  if (usage.gpu_busy > 0 && usage.pim_busy > 0) usage.seconds += machine_.synchronization;
  const hardware::gpu::Energy joules = kernels_.energy(kernel);
  usage.gpu_joules = joules.total() - joules.idle;
  usage.pim_joules = part.joules;
  usage.gpu_operations = kernel.operations;
  usage.gpu_bytes = kernel.memory_bytes;
  return usage;
}

}  // namespace pimsweep::systems::pimflow
