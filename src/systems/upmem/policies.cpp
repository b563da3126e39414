#include "systems/upmem/policies.h"

#include <algorithm>
#include <array>
#include <limits>

namespace pimsweep::systems::upmem {

namespace {

Placement by_rows(const GemvCosts& costs, const Product& /*product*/, double /*rows*/) {
  return {costs.options().dpus, 1};
}

/// The fastest number of column parts on these DPUs, a power of two.
Placement best_tiles(const GemvCosts& costs, const Product& product, double rows, std::int64_t dpus, double& time) {
  Placement best{dpus, 1};
  time = std::numeric_limits<double>::infinity();
  for (std::int64_t parts = 1; parts <= dpus && static_cast<double>(parts) <= product.inner; parts *= 2) {
    const double now = costs.cost(product, rows, {dpus, parts}).total();
    if (now >= time) continue;
    time = now;
    best.column_parts = parts;
  }
  return best;
}

Placement by_tiles(const GemvCosts& costs, const Product& product, double rows) {
  double time = 0;
  return best_tiles(costs, product, rows, costs.options().dpus, time);
}

Placement by_groups(const GemvCosts& costs, const Product& product, double rows) {
  // As many ranks as hold the matrix, if those of the options do not.
  std::int64_t ranks = std::min(costs.options().group_ranks, costs.ranks());
  while (ranks < costs.ranks() && costs.cost(product, rows, {costs.dpus_of(ranks), 1}).weight_bytes > costs.bank()) {
    ++ranks;
  }
  return {costs.dpus_of(ranks), 1};
}

/// The best of all numbers of ranks and of column parts: products follow each other, so the best of each is the best
/// of all. Placements that cannot be faster than the best so far cost nothing.
class Optimum {
 public:
  Optimum(const GemvCosts& costs, const Product& product, double rows) : costs_(costs), product_(product), rows_(rows) {
    for (std::int64_t parts = 1; parts <= costs.options().dpus && static_cast<double>(parts) <= product.inner;
         parts *= 2) {
      try_parts(parts);
    }
  }

  const Placement& placement() const { return best_; }

 private:
  void try_parts(std::int64_t parts) {
    const CostBound lower = costs_.cost_bound(product_, rows_, parts);
    if (parts == 1) try_placement({costs_.dpus_of(costs_.ranks_with(lower.best_dpus())), 1});
    const CostBound::Range range = lower.faster_than(time_);
    if (range.from > range.to) return;
    double last_share = 0;
    for (std::int64_t ranks = costs_.ranks_with(range.from); ranks <= costs_.ranks(); ++ranks) {
      const std::int64_t dpus = costs_.dpus_of(ranks);
      if (dpus < parts) continue;
      const std::int64_t row_parts = dpus / parts;
      const double share = std::ceil(rows_ / static_cast<double>(row_parts));
      // More ranks for the same share leave DPUs without rows.
      if (share == last_share) continue;
      last_share = share;
      const double used = std::ceil(rows_ / share) * static_cast<double>(parts);
      if (used > range.to) return;
      if (lower.on(used) < time_ * (1 + 1e-9)) try_placement({dpus, parts});
    }
  }

  void try_placement(const Placement& placement) {
    const GemvCost cost = costs_.cost(product_, rows_, placement);
    if (cost.total() >= time_ || cost.weight_bytes > costs_.bank()) return;
    time_ = cost.total();
    best_ = placement;
  }

  const GemvCosts& costs_;
  const Product& product_;
  double rows_ = 0;
  Placement best_{1, 1};
  double time_ = std::numeric_limits<double>::infinity();
};

Placement optimum(const GemvCosts& costs, const Product& product, double rows) {
  return Optimum(costs, product, rows).placement();
}

constexpr std::array all_policies{
    Policy{"rows", "rows of each matrix over all DPUs", by_rows},
    Policy{"joined", "rows over all DPUs, matrices with the same input as one", by_rows, Policy::Joins::always},
    Policy{"tiles", "tiles of rows and columns over all DPUs, the fastest shape", by_tiles, Policy::Joins::always},
    Policy{"groups", "each matrix on a group of ranks, its rows over their DPUs", by_groups, Policy::Joins::always},
    Policy{"optimum", "the fastest number of ranks and shape of tiles for each matrix", optimum,
           Policy::Joins::if_faster}};

}  // namespace

std::span<const Policy> policies() { return all_policies; }

}  // namespace pimsweep::systems::upmem
