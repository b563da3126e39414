#include "systems/upmem/gemv.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "systems/upmem/policies.h"

using namespace pimsweep::systems::upmem;

namespace {

/// Values over some decades.
class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  double between(double low, double high) {
    return low * std::pow(high / low, std::uniform_real_distribution<>(0, 1)(random_));
  }
  std::int64_t count(double low, double high) { return static_cast<std::int64_t>(between(low, high + 0.999)); }

 private:
  std::mt19937 random_;
};

Machine machine(Draw& draw) {
  Machine m;
  m.clock = draw.between(1e8, 1e9);
  m.threads = 24;
  m.issue_interval = 11;
  m.conflicts = draw.between(0.01, 1);
  m.mram = draw.between(1e5, 1e8);
  m.dma_read = draw.between(10, 200);
  m.dma_bytes_per_cycle = draw.between(0.5, 8);
  m.dma_step = 8;
  m.ranks = draw.count(1, 48);
  m.rank_dpus = draw.count(8, 64);
  m.dead_dpus = draw.count(1, 7);
  m.launch_one = draw.between(1e-5, 1e-3);
  m.launch_several = draw.between(1e-5, 1e-3);
  m.transfer_fixed = draw.between(1e-5, 1e-3);
  m.transfer_per_dpu = draw.between(1e-8, 1e-5);
  for (auto* rates : {&m.to_dpus, &m.from_dpus}) {
    for (double& rate : *rates) rate = draw.between(1e7, 1e11);
  }
  m.host_full_dpus = draw.count(65, 4096);
  m.broadcast = draw.between(0.1, 10);
  m.gemv_int8 = draw.between(2, 20);
  m.gemv_int4 = draw.between(2, 20);
  m.gemv_output = draw.between(10, 200);
  m.host_memory = draw.between(1e9, 1e11);
  return m;
}

const Policy& optimum() { return *std::ranges::find(policies(), "optimum", &Policy::name); }

}  // namespace

TEST_CASE("UPMEM matrices: the optimum is the fastest of all numbers of ranks and column parts that fit") {
  Draw draw(7);
  BandwidthTable table;
  int fitting = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Machine m = machine(draw);
    GemvOptions options;
    if (trial % 4 == 0) options.dpus = draw.count(1, static_cast<double>(m.dpus()));
    options.tasklets = draw.count(1, 24);
    options.bits = trial % 2 == 0 ? WeightBits::int8 : WeightBits::int4;
    options.weights = trial % 3 == 0 ? Weights::sent : Weights::resident;
    table.set(m);
    const GemvCosts costs(m, table, options);
    Matrix matrix;
    matrix.columns = static_cast<double>(draw.count(1, 20000));
    matrix.vectors = static_cast<double>(draw.count(1, 1000));
    matrix.rows = static_cast<double>(draw.count(1, 50000));
    double best = std::numeric_limits<double>::infinity();
    for (std::int64_t ranks = 1; ranks <= costs.ranks(); ++ranks) {
      const std::int64_t dpus = costs.dpus_of(ranks);
      for (std::int64_t parts = 1; parts <= dpus && static_cast<double>(parts) <= matrix.columns; parts *= 2) {
        const GemvCost cost = costs.cost(matrix, {dpus, parts});
        if (cost.weight_bytes <= costs.bank()) best = std::min(best, cost.total());
        const CostBound lower = costs.cost_bound(matrix, parts);
        const auto used = static_cast<double>(cost.placement.dpus);
        CHECK(lower.on(used) <= cost.total() * (1 + 1e-12));
        CHECK(lower.shortest(static_cast<double>(parts), static_cast<double>(dpus)) <= lower.on(used) * (1 + 1e-12));
      }
    }
    if (best == std::numeric_limits<double>::infinity()) continue;
    ++fitting;
    INFO("trial " << trial);
    CHECK(optimum().choose(costs, matrix).total() == best);
  }
  CHECK(fitting > 200);
}
