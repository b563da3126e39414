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

/// All numbers of ranks and of column parts. Products follow each other, so the best of each is the best of all.
Placement optimum(const GemvCosts& costs, const Product& product, double rows) {
  Placement best{1, 1};
  double shortest = std::numeric_limits<double>::infinity();
  for (std::int64_t ranks = 1; ranks <= costs.ranks(); ++ranks) {
    double time = 0;
    const Placement tiles = best_tiles(costs, product, rows, costs.dpus_of(ranks), time);
    if (time >= shortest || costs.cost(product, rows, tiles).weight_bytes > costs.bank()) continue;
    shortest = time;
    best = tiles;
  }
  return best;
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
