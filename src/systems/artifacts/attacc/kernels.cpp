#include "systems/artifacts/attacc/kernels.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::systems::artifacts::attacc {

namespace {

/// Operands and result of an element, in values.
double values_moved(ElementKind kind) { return kind == ElementKind::norm || kind == ElementKind::gated ? 3 : 2; }

/// Peak with values of this size: twice with half the bytes.
double peak(double value_bytes, const Card& card) { return card.peak * card.peak_share * std::floor(2 / value_bytes); }

double element_time(const ElementKernel& kernel, double bytes, const Card& card) {
  return kernel.per_byte * (card.measured_bandwidth / card.bandwidth) * bytes + kernel.fixed;
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

KernelCost product_cost(const Product& product, double value_bytes, const Card& card) {
  const Tiling tiles = tiling(product, value_bytes, card);
  const double multiplies = product.rows * product.columns * product.depth;
  const double flops = 2 * multiplies * product.count;
  KernelCost cost = bounded(flops / (peak(value_bytes, card) * tiles.utilization),
                            tiles.memory_bytes / (card.bandwidth * card.bandwidth_share * tiles.utilization));
  cost.flops = flops;
  // Registers: three operands of a multiplication; neither the bytes of a value nor the count of products enter.
  cost.energy = {.memory = tiles.memory_bytes * card.energy.memory,
                 .cache = tiles.cache_bytes * card.energy.cache,
                 .core_memory = tiles.core_bytes * card.energy.core_memory,
                 .registers = 3 * multiplies * card.energy.registers,
                 .multiply = flops / 2 * card.energy.multiply};
  return cost;
}

KernelCost element_cost(const Elements& elements, double value_bytes, const Card& card, const Accounting& accounting) {
  const double bytes = values_moved(elements.kind) * elements.elements * value_bytes;
  const double flops = element_flops(elements.kind) * elements.elements;
  const double used = core_utilization(elements.blocks, card);
  const bool softmax = elements.kind == ElementKind::softmax;
  const double computing = softmax || accounting.elements_on_one_core ? used : 1.0;
  double memory_time = bytes / (card.bandwidth * card.bandwidth_share * used);
  if (!softmax)
    memory_time = element_time(elements.kind == ElementKind::norm ? card.norm : card.activation, bytes, card);
  KernelCost cost = bounded(flops / (peak(value_bytes, card) * computing), memory_time);
  cost.flops = flops;
  cost.energy = {.memory = bytes * card.energy.memory,
                 .cache = bytes * card.energy.cache,
                 .core_memory = bytes * card.energy.core_memory,
                 .registers = bytes * card.energy.registers,
                 .multiply = flops / 2 * card.energy.multiply};
  return cost;
}

LinkCost all_reduce(double bytes, const Card& card, std::int64_t cards) {
  const auto ranks = static_cast<double>(cards);
  const double part = bytes / ranks;
  const double measured = card.reduce_fixed + card.reduce_per_byte * part * (card.measured_link / card.link_bandwidth);
  return {.time = (ranks - 1) * std::max(measured, part / (card.link_bandwidth / 2)),
          .energy = ranks * bytes * card.energy.link};
}

}  // namespace pimsweep::systems::artifacts::attacc
