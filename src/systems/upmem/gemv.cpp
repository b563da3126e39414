#include "systems/upmem/gemv.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pimsweep::systems::upmem {

namespace {

constexpr double bits_per_byte = 8;
/// Bytes of a partial sum.
constexpr double result_bytes = 4;
/// DMAs of weights and inputs.
constexpr double dma_block = 1024;

double rounded_up(double value, double step) { return std::ceil(value / step) * step; }

double bytes_of(WeightBits bits) { return (bits == WeightBits::int8 ? 8 : 4) / bits_per_byte; }

}  // namespace

GemvCosts::GemvCosts(const Machine& machine, const GemvOptions& options) : m_(machine), options_(options) {
  if (options_.dpus == 0) options_.dpus = m_.dpus();
  while (ranks_ < m_.ranks && dpus_of(ranks_) < options_.dpus) ++ranks_;
}

std::int64_t GemvCosts::dpus_of(std::int64_t ranks) const {
  // Dead DPUs are spread over all ranks.
  return std::max<std::int64_t>(1, std::min(options_.dpus, m_.dpus() * ranks / m_.ranks));
}

double GemvCosts::kernel_time(double rows, double columns, double vectors, Bound& bound) const {
  const auto tasklets = static_cast<double>(options_.tasklets);
  const double mac = options_.bits == WeightBits::int8 ? m_.gemv_int8 : m_.gemv_int4;
  const double output = m_.cycles_factor * (columns * mac + m_.gemv_output) * vectors;
  const double dma = (rows * columns * bytes_of(options_.bits) + vectors * columns) / dma_block *
                     (m_.dma_read + dma_block / m_.dma_bytes_per_cycle);
  const double fullest = std::ceil(rows / tasklets);
  const double latency = fullest * m_.issue_interval * output / (1 + m_.conflicts) + dma * fullest / rows;
  const std::array<double, bound_words.size()> bounds{rows * output, dma, 0, latency};
  const auto longest = std::ranges::max_element(bounds);
  bound = static_cast<Bound>(longest - bounds.begin());
  return *longest / m_.clock;
}

GemvCost GemvCosts::cost(const Product& product, double rows, const Placement& placement) const {
  const auto parts = static_cast<double>(placement.column_parts);
  const double row_parts = std::max(1.0, std::floor(static_cast<double>(placement.dpus) / parts));
  const double share = std::ceil(rows / row_parts);
  const double columns =
      std::min(rounded_up(product.inner / parts, m_.dma_step), rounded_up(product.inner, m_.dma_step));
  // Small matrices leave DPUs without rows.
  const auto used = static_cast<std::int64_t>(std::ceil(rows / share) * parts);
  GemvCost cost;
  cost.placement = {used, placement.column_parts};
  cost.weight_bytes = share * columns * bytes_of(options_.bits);
  const double inputs = product.vectors * columns;
  const TransferMode mode = placement.column_parts == 1 ? TransferMode::broadcast : TransferMode::parallel;
  cost.to = transfer_time(m_, nullptr, Direction::to_dpus, mode, used, inputs, 1);
  if (options_.weights == Weights::sent) {
    cost.to += transfer_time(m_, nullptr, Direction::to_dpus, TransferMode::parallel, used,
                             rounded_up(cost.weight_bytes, m_.dma_step), 1);
  }
  cost.launch = m_.launch(used);
  cost.kernel = kernel_time(share, columns, product.vectors, cost.bound);
  cost.from = transfer_time(m_, nullptr, Direction::from_dpus, TransferMode::parallel, used,
                            rounded_up(share * product.vectors * result_bytes, m_.dma_step), 1);
  if (parts > 1) cost.host = parts * rows * product.vectors * result_bytes / m_.host_memory;
  return cost;
}

}  // namespace pimsweep::systems::upmem
