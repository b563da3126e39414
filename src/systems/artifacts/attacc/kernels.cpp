#include "systems/artifacts/attacc/kernels.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::systems::artifacts::attacc {

namespace {

/// Operands and result of an element, in values.
double values_moved(ElementKind kind) { return kind == ElementKind::norm || kind == ElementKind::gated ? 3 : 2; }

/// Peak with values of this size: twice with half the bytes.
double peak(double value_bytes, const Gpu& gpu) { return gpu.peak * gpu.peak_share * std::floor(2 / value_bytes); }

double element_time(const ElementKernel& kernel, double bytes, const Gpu& gpu) {
  return kernel.per_byte * (gpu.measured_bandwidth / gpu.bandwidth) * bytes + kernel.fixed;
}

KernelCost bounded(double compute_time, double memory_time) {
  return {.time = std::max(compute_time, memory_time), .compute_bound = compute_time > memory_time};
}

}  // namespace

double element_flops(ElementKind kind) {
  switch (kind) {
    case ElementKind::softmax:
    case ElementKind::norm:
      return 5;
    case ElementKind::gelu:
      return 8;
    case ElementKind::relu:
      return 1;
    case ElementKind::gated:
      return 9;
  }
  return 0;
}

KernelCost product_cost(const Product& product, double value_bytes, const Gpu& gpu) {
  const Tiling tiles = tiling(product, value_bytes, gpu);
  const double multiplies = product.rows * product.columns * product.depth;
  const double flops = 2 * multiplies * product.count;
  KernelCost cost = bounded(flops / (peak(value_bytes, gpu) * tiles.utilization),
                            tiles.memory_bytes / (gpu.bandwidth * gpu.bandwidth_share * tiles.utilization));
  cost.flops = flops;
  // Registers: three operands per multiplication. As in the artifact, neither the bytes of a value nor the number of
  // GEMMs is a factor.
  cost.energy = {.memory = tiles.memory_bytes * gpu.energy.memory,
                 .cache = tiles.cache_bytes * gpu.energy.cache,
                 .core_memory = tiles.core_bytes * gpu.energy.core_memory,
                 .registers = 3 * multiplies * gpu.energy.registers,
                 .multiply = flops / 2 * gpu.energy.multiply};
  return cost;
}

KernelCost element_cost(const Elements& elements, double value_bytes, const Gpu& gpu, const Accounting& accounting) {
  const double bytes = values_moved(elements.kind) * elements.elements * value_bytes;
  const double flops = element_flops(elements.kind) * elements.elements;
  const double used = core_utilization(elements.blocks, gpu);
  const bool softmax = elements.kind == ElementKind::softmax;
  const double computing = softmax || accounting.elements_on_one_core ? used : 1.0;
  double memory_time = bytes / (gpu.bandwidth * gpu.bandwidth_share * used);
  if (!softmax) memory_time = element_time(elements.kind == ElementKind::norm ? gpu.norm : gpu.activation, bytes, gpu);
  KernelCost cost = bounded(flops / (peak(value_bytes, gpu) * computing), memory_time);
  cost.flops = flops;
  cost.energy = {.memory = bytes * gpu.energy.memory,
                 .cache = bytes * gpu.energy.cache,
                 .core_memory = bytes * gpu.energy.core_memory,
                 .registers = bytes * gpu.energy.registers,
                 .multiply = flops / 2 * gpu.energy.multiply};
  return cost;
}

LinkCost all_reduce(double bytes, const Gpu& gpu, std::int64_t gpus) {
  const auto ranks = static_cast<double>(gpus);
  const double part = bytes / ranks;
  const double measured = gpu.reduce_fixed + gpu.reduce_per_byte * part * (gpu.measured_link / gpu.link_bandwidth);
  return {.time = (ranks - 1) * std::max(measured, part / (gpu.link_bandwidth / 2)),
          .energy = ranks * bytes * gpu.energy.link};
}

}  // namespace pimsweep::systems::artifacts::attacc
