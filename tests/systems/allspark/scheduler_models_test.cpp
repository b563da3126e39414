#include <catch2/catch.hpp>

#include "systems/allspark/scheduler/schedule_problem.h"
#include "systems/allspark/scheduler_instances.h"

namespace pimsweep::systems::allspark {

namespace {

/// CBC takes a fifth of a second for each, ten times as long under the sanitizers: some have to do. The machine's own
/// costs are tried for every model and size (proof_test.cpp).
#ifdef __SANITIZE_ADDRESS__
constexpr int every = 15;
#else
constexpr int every = 4;
#endif

}  // namespace

TEST_CASE("on models of every size the exact solver and the compact program agree") {
  int instance = 0;
  for (const std::int64_t px : {224, 640, 960}) {
    for (const NamedShape& model : model_shapes(px)) {
      for (const std::int64_t memory : memories_worth_trying(model)) {
        if (instance++ % every != 0) continue;
        const scheduler::ScheduleProblem problem = plausible_problem(model.stages, model.nodes_per_side, memory);
        CAPTURE(px, model.name, memory);
        const scheduler::Schedule exact = scheduler::solve_exact(problem);
        const scheduler::Schedule compact = scheduler::solve_compact_milp(problem);
        REQUIRE(exact.feasible);
        REQUIRE(compact.feasible);
        REQUIRE(exact.cycles == compact.cycles);
        REQUIRE(exact.weight_bytes + exact.workspace_bytes <= compact.weight_bytes + compact.workspace_bytes);
      }
    }
  }
}

TEST_CASE("on models at 224 px the paper's program has the same optimum") {
  int closed = 0;
  for (const NamedShape& model : model_shapes(224)) {
    // The rest closes as well, but takes CBC from seconds to a quarter of a minute each.
    if (model.name == "CSWin-L" || model.name == "Swin-L") continue;
    const scheduler::ScheduleProblem problem =
        plausible_problem(model.stages, model.nodes_per_side, memories_worth_trying(model).back());
    CAPTURE(model.name);
    const scheduler::IlpResult paper = scheduler::solve_paper_ilp(problem, 20);
    if (!paper.closed) continue;
    ++closed;
    REQUIRE(paper.schedule.cycles == scheduler::solve_exact(problem).cycles);
  }
  CHECK(closed >= 9);
}

}  // namespace pimsweep::systems::allspark
