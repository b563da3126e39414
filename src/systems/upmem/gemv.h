#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "systems/upmem/machine.h"
#include "systems/upmem/products.h"
#include "systems/upmem/run.h"

namespace pimsweep::systems::upmem {

/// Bits of a weight; inputs have 8 bits, results 32.
enum class WeightBits : std::uint8_t { int8, int4 };
inline constexpr Words<WeightBits, 2> weight_words{{{"int8", WeightBits::int8}, {"int4", WeightBits::int4}}};

/// Weights lie in the banks, or are sent before each product.
enum class Weights : std::uint8_t { resident, sent };
inline constexpr Words<Weights, 2> weights_words{{{"resident", Weights::resident}, {"sent", Weights::sent}}};

struct GemvOptions {
  std::int64_t dpus = 0;
  std::int64_t tasklets = 16;
  WeightBits bits = WeightBits::int8;
  Weights weights = Weights::resident;
  std::int64_t group_ranks = 1;
};

/// DPUs of a product: the rows of the matrix are divided among `dpus / column_parts` of them, and the columns in parts.
struct Placement {
  std::int64_t dpus = 1;
  std::int64_t column_parts = 1;
};

/// Seconds of one matrix by its vectors.
struct GemvCost {
  double to = 0;
  double launch = 0;
  double kernel = 0;
  double from = 0;
  /// Sums of partial results by the host.
  double host = 0;
  double weight_bytes = 0;
  Bound bound = Bound::issue;
  Placement placement;

  double total() const { return to + launch + kernel + from + host; }
};

/// std::ceil of a number that is not negative and below 2^63, in fewer instructions.
inline double whole_above(double number) {
  const auto whole = static_cast<double>(static_cast<std::int64_t>(number));
  return whole < number ? whole + 1 : whole;
}

/// A matrix whose columns are divided in parts: terms that all numbers of DPUs have in common.
struct Tiles {
  double rows = 0;
  double vectors = 0;
  std::int64_t column_parts = 1;
  /// Columns of a part, as a DMA moves them.
  double columns = 0;
  /// Cycles that a DPU issues for the outputs of one row.
  double output_cycles = 0;
  /// Seconds in which the host adds partial results.
  double host = 0;
};

/// Bytes of a result.
inline constexpr double result_bytes = 4;
/// DMAs of weights and inputs.
inline constexpr double dma_block = 1024;

/// Lower bound of the seconds of a matrix on n used DPUs: `fixed + per_dpu * n + max(shared / n, kernel)`.
struct CostBound {
  double fixed = 0;
  double per_dpu = 0;
  double shared = 0;
  double kernel = 0;
  /// Square root of `per_dpu * shared`.
  double root = 0;

  double on(double dpus) const { return fixed + per_dpu * dpus + std::max(shared / dpus, kernel); }
  /// on(dpus) < time, without a division.
  bool may_be_faster(double dpus, double time) const {
    const double rest = time - fixed - per_dpu * dpus;
    return rest > kernel && rest * dpus > shared;
  }
  /// The number of DPUs with the shortest time: fewer and more are slower. Infinite if more are always faster.
  double best_dpus() const { return std::min(root / per_dpu, shared / kernel); }
  /// No number of DPUs within these limits is faster.
  double shortest(double min_dpus, double max_dpus) const {
    const double kernels = std::max(kernel, shared * (1 / max_dpus));
    return fixed + std::max(per_dpu * min_dpus + kernels, 2 * root);
  }
};

/// Costs of products on a machine under some options.
class GemvCosts {
 public:
  /// `table` has been set to the machine.
  GemvCosts(const Machine& machine, BandwidthTable& table, const GemvOptions& options);

  const Machine& machine() const { return m_; }
  const GemvOptions& options() const { return options_; }
  /// DPUs of the first ranks, at most those of the options.
  std::int64_t dpus_of(std::int64_t ranks) const {
    // Dead DPUs are spread over all ranks. The half keeps rounding away from whole numbers.
    const auto dpus = static_cast<std::int64_t>((static_cast<double>(all_dpus_ * ranks) + 0.5) * per_rank_);
    return std::max<std::int64_t>(1, std::min(options_.dpus, dpus));
  }
  std::int64_t ranks() const { return ranks_; }
  /// Bytes that one DPU's bank has for weights.
  double bank() const { return m_.mram; }
  /// The smallest number of ranks that has about so many DPUs, all if none has.
  std::int64_t ranks_with(double dpus) const {
    const double ranks = std::clamp(dpus * ranks_per_dpu_, 1.0, static_cast<double>(ranks_));
    return static_cast<std::int64_t>(whole_above(ranks));
  }

  Tiles tiles(const Matrix& matrix, std::int64_t column_parts) const;
  /// DPUs with rows, if each has at most `share`: small matrices leave some without.
  static double used_dpus(const Tiles& tiles, double share) {
    return whole_above(tiles.rows / share) * static_cast<double>(tiles.column_parts);
  }
  /// At most `share` rows for each DPU. Inlined, so that the search computes no more than the total.
  GemvCost cost(const Tiles& tiles, double share) const { return cost(tiles, share, used_dpus(tiles, share)); }
  GemvCost cost(const Tiles& tiles, double share, double used_dpus) const;
  GemvCost cost(const Matrix& matrix, const Placement& placement) const;
  CostBound cost_bound(const Matrix& matrix, std::int64_t column_parts) const;

 private:
  const Machine& m_;
  BandwidthTable& table_;
  GemvOptions options_;
  std::int64_t all_dpus_ = 0;
  double per_rank_ = 0;
  double ranks_per_dpu_ = 0;
  std::int64_t ranks_ = 1;
  double tasklets_ = 0;
  double weight_bytes_ = 0;
  /// Cycles of a multiply-accumulate, and of a DMA.
  double mac_cycles_ = 0;
  double dma_cycles_ = 0;
  /// Terms of bounds in seconds: what any matrix takes, and what each DPU adds to it; a byte at the highest bandwidth,
  /// a result, and one that is added to others; a cycle that counts as issued, and one in a chain of instructions.
  double min_fixed_ = 0;
  double min_per_dpu_ = 0;
  double to_byte_ = 0;
  double broadcast_byte_ = 0;
  double from_result_ = 0;
  double sum_result_ = 0;
  double issue_cycle_ = 0;
  double latency_cycle_ = 0;
};

inline GemvCost GemvCosts::cost(const Tiles& tiles, double share, double used_dpus) const {
  const auto rounded_up = [&](double bytes) { return whole_above(bytes / m_.dma_step) * m_.dma_step; };
  const auto used = static_cast<std::int64_t>(used_dpus);
  const ByteTimes& times = table_.on(used);
  GemvCost cost;
  cost.placement = {used, tiles.column_parts};
  cost.weight_bytes = share * tiles.columns * weight_bytes_;
  const double inputs = tiles.vectors * tiles.columns;
  const TransferMode mode = tiles.column_parts == 1 ? TransferMode::broadcast : TransferMode::parallel;
  cost.to = transfer_time(m_, times.to, mode, used, inputs, 1);
  if (options_.weights == Weights::sent) {
    cost.to += transfer_time(m_, times.to, TransferMode::parallel, used, rounded_up(cost.weight_bytes), 1);
  }
  cost.launch = m_.launch(used);
  const double issue = share * tiles.output_cycles;
  const double dma = (cost.weight_bytes + inputs) / dma_block * dma_cycles_;
  const double fullest = whole_above(share / tasklets_);
  const double latency = fullest * m_.issue_interval * tiles.output_cycles / (1 + m_.conflicts) + dma * fullest / share;
  const double longest = std::max(std::max(issue, dma), latency);
  cost.kernel = longest / m_.clock;
  cost.bound = longest == issue ? Bound::issue : longest == dma ? Bound::dma : Bound::latency;
  cost.from =
      transfer_time(m_, times.from, TransferMode::parallel, used, rounded_up(share * tiles.vectors * result_bytes), 1);
  cost.host = tiles.host;
  return cost;
}

inline CostBound GemvCosts::cost_bound(const Matrix& matrix, std::int64_t column_parts) const {
  const auto parts = static_cast<double>(column_parts);
  const bool is_whole = column_parts == 1;
  const double columns = std::max(matrix.columns * (1 / parts), m_.dma_step);
  const double outputs = parts * matrix.rows * matrix.vectors;
  const double output_cycles = columns * mac_cycles_ + m_.gemv_output;
  // Every transfer has its fixed part and the bytes of all DPUs at no more than the highest bandwidth.
  CostBound lower;
  lower.fixed = min_fixed_ + outputs * (is_whole ? from_result_ : sum_result_);
  lower.per_dpu = min_per_dpu_ + matrix.vectors * columns * (is_whole ? broadcast_byte_ : to_byte_);
  if (options_.weights == Weights::sent) lower.fixed += parts * matrix.rows * columns * weight_bytes_ * to_byte_;
  lower.shared = outputs * output_cycles * issue_cycle_;
  // The fullest tasklet has a row at least.
  lower.kernel = matrix.vectors * output_cycles * latency_cycle_;
  lower.root = std::sqrt(lower.per_dpu * lower.shared);
  return lower;
}

}  // namespace pimsweep::systems::upmem
