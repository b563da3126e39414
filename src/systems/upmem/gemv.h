#pragma once

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

/// Lower bound of the seconds of a matrix: `fixed + per_dpu * n + shared / n` on n used DPUs.
struct CostBound {
  double fixed = 0;
  double per_dpu = 0;
  double shared = 0;

  double on(double dpus) const { return fixed + per_dpu * dpus + shared / dpus; }
  /// The number of DPUs with the shortest time; infinite if more are always faster.
  double best_dpus() const;
  /// The numbers of DPUs whose time may be shorter than `time`; empty unless `from <= to`.
  struct Range {
    double from = 0;
    double to = 0;
  };
  Range faster_than(double time) const;
};

/// Costs of products on a machine under some options.
class GemvCosts {
 public:
  GemvCosts(const Machine& machine, const GemvOptions& options);

  const Machine& machine() const { return m_; }
  const GemvOptions& options() const { return options_; }
  /// DPUs of the first ranks, at most those of the options.
  std::int64_t dpus_of(std::int64_t ranks) const;
  std::int64_t ranks() const { return ranks_; }
  /// Bytes that one DPU's bank has for weights.
  double bank() const { return m_.mram; }
  /// The smallest number of ranks that has so many DPUs, all if none has.
  std::int64_t ranks_with(double dpus) const;
  /// A matrix of `rows` rows.
  GemvCost cost(const Product& product, double rows, const Placement& placement) const;
  CostBound cost_bound(const Product& product, double rows, std::int64_t column_parts) const;

 private:
  double columns_of(const Product& product, double parts) const;
  /// Cycles that a DPU issues for the outputs of one row.
  double output_cycles(double vectors, double columns) const;
  double kernel_time(double rows, double columns, double vectors, Bound& bound) const;

  const Machine& m_;
  GemvOptions options_;
  std::int64_t ranks_ = 1;
};

}  // namespace pimsweep::systems::upmem
