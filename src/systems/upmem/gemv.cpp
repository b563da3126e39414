#include "systems/upmem/gemv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

std::int64_t GemvCosts::ranks_with(double dpus) const {
  const double ranks = std::ceil(dpus * static_cast<double>(m_.ranks) / static_cast<double>(m_.dpus()));
  return std::clamp(static_cast<std::int64_t>(std::min(ranks, static_cast<double>(ranks_))), std::int64_t{1}, ranks_);
}

double GemvCosts::columns_of(const Product& product, double parts) const {
  return rounded_up(product.inner / parts, m_.dma_step);
}

double GemvCosts::output_cycles(double vectors, double columns) const {
  const double mac = options_.bits == WeightBits::int8 ? m_.gemv_int8 : m_.gemv_int4;
  return m_.cycles_factor * (columns * mac + m_.gemv_output) * vectors;
}

double GemvCosts::kernel_time(double rows, double columns, double vectors, Bound& bound) const {
  const auto tasklets = static_cast<double>(options_.tasklets);
  const double output = output_cycles(vectors, columns);
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
  const double columns = columns_of(product, parts);
  // Small matrices leave DPUs without rows.
  const auto used = static_cast<std::int64_t>(std::ceil(rows / share) * parts);
  GemvCost cost;
  cost.placement = {used, placement.column_parts};
  cost.weight_bytes = share * columns * bytes_of(options_.bits);
  const double inputs = product.vectors * columns;
  const TransferMode mode = placement.column_parts == 1 ? TransferMode::broadcast : TransferMode::parallel;
  const Bandwidths rates = bandwidths(m_, nullptr, used);
  cost.to = transfer_time(m_, rates.to, mode, used, inputs, 1);
  if (options_.weights == Weights::sent) {
    cost.to += transfer_time(m_, rates.to, TransferMode::parallel, used, rounded_up(cost.weight_bytes, m_.dma_step), 1);
  }
  cost.launch = m_.launch(used);
  cost.kernel = kernel_time(share, columns, product.vectors, cost.bound);
  cost.from = transfer_time(m_, rates.from, TransferMode::parallel, used,
                            rounded_up(share * product.vectors * result_bytes, m_.dma_step), 1);
  if (parts > 1) cost.host = parts * rows * product.vectors * result_bytes / m_.host_memory;
  return cost;
}

double CostBound::best_dpus() const {
  return per_dpu == 0 ? std::numeric_limits<double>::infinity() : std::sqrt(shared / per_dpu);
}

CostBound::Range CostBound::faster_than(double time) const {
  // on(n) < time, with a margin for rounding.
  const double rest = time * (1 + 1e-9) - fixed;
  const double under_root = rest * rest - 4 * per_dpu * shared;
  if (rest <= 0 || under_root < 0) return {1, 0};
  const double sum = rest + std::sqrt(under_root);
  return {2 * shared / sum, per_dpu == 0 ? std::numeric_limits<double>::infinity() : sum / (2 * per_dpu)};
}

CostBound GemvCosts::cost_bound(const Product& product, double rows, std::int64_t column_parts) const {
  const auto parts = static_cast<double>(column_parts);
  const double columns = columns_of(product, parts);
  const double sums = parts * rows * product.vectors * result_bytes;
  const double to_rate = std::ranges::max(m_.to_dpus);
  CostBound lower;
  // Every transfer has its fixed part and the bytes of all DPUs at no more than the highest bandwidth.
  lower.fixed =
      std::min(m_.launch_one, m_.launch_several) + 2 * m_.transfer_fixed + sums / std::ranges::max(m_.from_dpus);
  if (column_parts > 1) lower.fixed += sums / m_.host_memory;
  lower.per_dpu =
      2 * m_.transfer_per_dpu + product.vectors * columns / (column_parts == 1 ? to_rate * m_.broadcast : to_rate);
  if (options_.weights == Weights::sent) {
    lower.fixed += m_.transfer_fixed + parts * rows * columns * bytes_of(options_.bits) / to_rate;
    lower.per_dpu += m_.transfer_per_dpu;
  }
  // The fullest DPU issues no less than the mean, nor does its fullest tasklet.
  const auto tasklets = static_cast<double>(options_.tasklets);
  const double issue = std::max(1.0, m_.issue_interval / ((1 + m_.conflicts) * tasklets));
  lower.shared = issue * parts * rows * output_cycles(product.vectors, columns) / m_.clock;
  return lower;
}

}  // namespace pimsweep::systems::upmem
