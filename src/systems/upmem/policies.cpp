#include "systems/upmem/policies.h"

#include <algorithm>
#include <array>
#include <boost/container/static_vector.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

namespace pimsweep::systems::upmem {

namespace {

GemvCost by_rows(const GemvCosts& costs, const Matrix& matrix) { return costs.cost(matrix, {costs.options().dpus, 1}); }

/// The fastest number of column parts on all DPUs, a power of two.
GemvCost by_tiles(const GemvCosts& costs, const Matrix& matrix) {
  const std::int64_t dpus = costs.options().dpus;
  GemvCost best = costs.cost(matrix, {dpus, 1});
  for (std::int64_t parts = 2; parts <= dpus && static_cast<double>(parts) <= matrix.columns; parts *= 2) {
    const GemvCost cost = costs.cost(matrix, {dpus, parts});
    if (cost.total() < best.total()) best = cost;
  }
  return best;
}

GemvCost by_groups(const GemvCosts& costs, const Matrix& matrix) {
  // As many ranks as hold the matrix, if those of the options do not.
  std::int64_t ranks = std::min(costs.options().group_ranks, costs.ranks());
  for (;; ++ranks) {
    const GemvCost cost = costs.cost(matrix, {costs.dpus_of(ranks), 1});
    if (cost.weight_bytes <= costs.bank() || ranks == costs.ranks()) return cost;
  }
}

/// The best of all numbers of ranks and of column parts: products follow each other, so the best of each is the best
/// of all. Placements that cannot be faster than the best so far cost little or nothing.
class Optimum {
 public:
  Optimum(const GemvCosts& costs, const Matrix& matrix) : costs_(costs), matrix_(matrix) {
    const double max_parts = std::min(static_cast<double>(costs.options().dpus), matrix.columns);
    boost::container::static_vector<Split, max_splits> splits{split(0)};
    const auto add_split = [&] {
      const bool exists = static_cast<double>(2 * splits.back().parts) <= max_parts;
      if (exists) splits.push_back(split(splits.back().doublings + 1));
      return exists;
    };
    // Bounds fall with the number of parts, then rise. The split with the smallest one comes first, so that others
    // need no more than their bound, or none.
    const Split* first = &splits.back();
    while (first == &splits.back() && add_split()) {
      if (splits.back().shortest < first->shortest) first = &splits.back();
    }
    try_all(*first);
    for (const Split& other : splits) {
      if (&other != first) try_all(other);
    }
    // From two parts on the bound is a convex function of their logarithm, a sum and maximum of powers: once it has
    // risen beyond the limit, it stays there.
    const auto is_beyond = [&] { return splits.back().shortest >= std::max(limit(), splits.end()[-2].shortest); };
    while ((splits.size() <= 2 || !is_beyond()) && add_split()) try_all(splits.back());
  }

  /// The cost on one DPU if no placement fits.
  GemvCost cost() const {
    return best_.share > 0 ? costs_.cost(best_.tiles, best_.share) : costs_.cost(matrix_, {1, 1});
  }

 private:
  /// Powers of two up to the DPUs of the largest machine, 4,096 ranks of 4,096.
  static constexpr std::size_t max_splits = 25;

  /// Placements with the same column parts.
  struct Split {
    std::int64_t parts = 1;
    /// Its logarithm.
    int doublings = 0;
    CostBound lower;
    double shortest = 0;
  };

  Split split(int doublings) const {
    const std::int64_t parts = std::int64_t{1} << doublings;
    const CostBound lower = costs_.cost_bound(matrix_, parts);
    const auto dpus = static_cast<double>(costs_.options().dpus);
    return {parts, doublings, lower, lower.shortest(static_cast<double>(parts), dpus)};
  }

  /// Rounding may make a bound larger than the cost by less.
  double limit() const { return time_ * (1 + 1e-9); }

  /// From the best number of DPUs up and down, until the bound is slower on both sides.
  void try_all(const Split& split) {
    if (split.shortest >= limit()) return;
    const auto parts = static_cast<double>(split.parts);
    const double best = std::max(split.lower.best_dpus(), parts);
    std::optional<Tiles> tiles;
    double last = 0;
    /// False where the bound is slower and remains so.
    const auto try_ranks = [&](std::int64_t ranks, auto is_past) {
      const double share = whole_above(matrix_.rows / static_cast<double>(costs_.dpus_of(ranks) >> split.doublings));
      // More ranks for the same share leave DPUs without rows.
      if (share == last) return true;
      last = share;
      const double used = whole_above(matrix_.rows / share) * parts;
      if (!split.lower.may_be_faster(used, limit())) return !is_past(used, best);
      if (!tiles) tiles = costs_.tiles(matrix_, split.parts);
      try_share(*tiles, share, used);
      return true;
    };
    std::int64_t start = costs_.ranks_with(best);
    while (costs_.dpus_of(start) < split.parts) ++start;
    bool may_be_more = try_ranks(start, std::greater_equal());
    const double start_share = last;
    for (std::int64_t up = start + 1; may_be_more && up <= costs_.ranks() && last != 1; ++up) {
      may_be_more = try_ranks(up, std::greater_equal());
    }
    last = start_share;
    std::int64_t down = start - 1;
    while (down > 0 && costs_.dpus_of(down) >= split.parts && try_ranks(down, std::less_equal())) --down;
  }

  void try_share(const Tiles& tiles, double share, double used) {
    const GemvCost cost = costs_.cost(tiles, share, used);
    if (cost.total() >= time_ || cost.weight_bytes > costs_.bank()) return;
    time_ = cost.total();
    best_ = {tiles, share};
  }

  const GemvCosts& costs_;
  const Matrix& matrix_;
  /// The share of its rows is 0 as long as no placement fits.
  struct {
    Tiles tiles;
    double share = 0;
  } best_;
  double time_ = std::numeric_limits<double>::infinity();
};

GemvCost optimum(const GemvCosts& costs, const Matrix& matrix) { return Optimum(costs, matrix).cost(); }

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
