#include "systems/upmem/gemv.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pimsweep::systems::upmem {

namespace {

constexpr double bits_per_byte = 8;

double bytes_of(WeightBits bits) { return (bits == WeightBits::int8 ? 8 : 4) / bits_per_byte; }

}  // namespace

GemvCosts::GemvCosts(const Machine& machine, BandwidthTable& table, const GemvOptions& options)
    : m_(machine),
      table_(table),
      options_(options),
      all_dpus_(m_.dpus()),
      per_rank_(1 / static_cast<double>(m_.ranks)),
      ranks_per_dpu_(static_cast<double>(m_.ranks) / static_cast<double>(all_dpus_)),
      tasklets_(static_cast<double>(options.tasklets)),
      weight_bytes_(bytes_of(options.bits)),
      mac_cycles_(options.bits == WeightBits::int8 ? m_.gemv_int8 : m_.gemv_int4),
      dma_cycles_(m_.dma_read + dma_block / m_.dma_bytes_per_cycle),
      to_byte_(1 / std::ranges::max(m_.to_dpus)),
      broadcast_byte_(to_byte_ / m_.broadcast),
      from_result_(result_bytes / std::ranges::max(m_.from_dpus)),
      sum_result_(from_result_ + result_bytes / m_.host_memory),
      latency_cycle_(m_.cycles_factor / m_.clock * m_.issue_interval / (1 + m_.conflicts)) {
  // The fullest DPU issues no less than the mean, nor does its fullest tasklet.
  issue_cycle_ = std::max(m_.cycles_factor / m_.clock, latency_cycle_ / tasklets_);
  const int transfers = options_.weights == Weights::sent ? 3 : 2;
  min_fixed_ = std::min(m_.launch_one, m_.launch_several) + transfers * m_.transfer_fixed;
  min_per_dpu_ = transfers * m_.transfer_per_dpu;
  if (options_.dpus == 0) options_.dpus = all_dpus_;
  ranks_ = std::clamp((options_.dpus * m_.ranks + all_dpus_ - 1) / all_dpus_, std::int64_t{1}, m_.ranks);
}

Tiles GemvCosts::tiles(const Matrix& matrix, std::int64_t column_parts) const {
  const auto parts = static_cast<double>(column_parts);
  Tiles tiles{.rows = matrix.rows, .vectors = matrix.vectors, .column_parts = column_parts};
  tiles.columns = whole_above(matrix.columns / parts / m_.dma_step) * m_.dma_step;
  tiles.output_cycles = m_.cycles_factor * (tiles.columns * mac_cycles_ + m_.gemv_output) * matrix.vectors;
  if (column_parts > 1) tiles.host = parts * matrix.rows * matrix.vectors * result_bytes / m_.host_memory;
  return tiles;
}

GemvCost GemvCosts::cost(const Matrix& matrix, const Placement& placement) const {
  const std::int64_t row_parts = std::max<std::int64_t>(1, placement.dpus / placement.column_parts);
  return cost(tiles(matrix, placement.column_parts), std::ceil(matrix.rows / static_cast<double>(row_parts)));
}

}  // namespace pimsweep::systems::upmem
