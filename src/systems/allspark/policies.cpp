// The scheduling policies of axis `policy`. A new one is a function and a line in the array at the end.
#include <fmt/format.h>

#include <array>

#include "base/error.h"
#include "systems/allspark/fixed_split.h"
#include "systems/allspark/policy.h"
#include "systems/allspark/schedule_text.h"
#include "systems/extensible_list.h"

namespace pimsweep::systems::allspark {

namespace {

Decision decision_from(const scheduler::Schedule& schedule, const scheduler::ScheduleProblem& problem) {
  Decision decision;
  if (!schedule.feasible) {
    decision.infeasible = schedule.reason;
    return decision;
  }
  for (std::size_t s = 0; s < schedule.stages.size(); ++s) {
    std::vector<Layers>& groups = decision.stages.emplace_back();
    for (const scheduler::LayerGroup& group : schedule.stages[s]) {
      const scheduler::Scheme& scheme = problem.stages[s].schemes[static_cast<std::size_t>(group.scheme)];
      groups.push_back({{scheme.head_split, scheme.patch_split, 1}, group.layers});
    }
  }
  return decision;
}

/// Throws PointError unless temporal layers reuse weights: Eq. (5)-(11), which the solvers optimize, have reuse built
/// in.
void require_weight_reuse(const PolicyOptions& options, const workload::VisionTransformer&, std::string_view policy) {
  if (options.weight_reuse) return;
  throw PointError(
      fmt::format("weight_reuse = false is meaningless for policy {}, whose program counts weights with "
                  "reuse; allowed with branch, patch, head and manual",
                  policy));
}

Decision choose_branch(ModelCosts& costs, const PolicyOptions& options) {
  return choose_fixed_split(costs, options, FixedSplit::none);
}

Decision choose_patch(ModelCosts& costs, const PolicyOptions& options) {
  return choose_fixed_split(costs, options, FixedSplit::patches);
}

Decision choose_head(ModelCosts& costs, const PolicyOptions& options) {
  return choose_fixed_split(costs, options, FixedSplit::heads);
}

Decision choose_optimum(ModelCosts& costs, const PolicyOptions& options) {
  require_weight_reuse(options, costs.model(), "allspark");
  Decision decision = decision_from(scheduler::solve_exact(costs.problem()), costs.problem());
  decision.solver = "exact, optimal";
  return decision;
}

Decision choose_by_paper_ilp(ModelCosts& costs, const PolicyOptions& options) {
  require_weight_reuse(options, costs.model(), "allspark-ilp");
  const scheduler::IlpResult result = scheduler::solve_paper_ilp(costs.problem(), options.ilp_time_limit);
  if (!result.closed && !result.schedule.feasible) {
    throw PointError(
        fmt::format("CBC found no schedule within {} s ({} binaries, {} constraints); raise "
                    "ilp_time_limit or use policy allspark",
                    options.ilp_time_limit, result.binaries, result.constraints));
  }
  Decision decision = decision_from(result.schedule, costs.problem());
  decision.solver = fmt::format("CBC, {} binaries, {} constraints, {}", result.binaries, result.constraints,
                                result.closed ? "optimal" : "stopped by the time limit");
  if (!result.closed) {
    decision.caveat = "the time limit ended the search: not proven optimal, and it may differ from run to run";
  }
  return decision;
}

Decision choose_by_compact_milp(ModelCosts& costs, const PolicyOptions& options) {
  require_weight_reuse(options, costs.model(), "allspark-milp");
  Decision decision = decision_from(scheduler::solve_compact_milp(costs.problem()), costs.problem());
  decision.solver = "CBC, compact program, optimal";
  return decision;
}

void require_schedule(const PolicyOptions& options, const workload::VisionTransformer& model, std::string_view) {
  parse_schedule(options.schedule, model);
}

Decision read_manual(ModelCosts& costs, const PolicyOptions& options) {
  Decision decision;
  decision.stages = read_schedule(options.schedule, costs);
  return decision;
}

constexpr std::array all_policies{
    Policy{"branch", "one branch on one node (baseline B, Sec. III-C)", choose_branch},
    Policy{"patch", "each branch split by patches alone (baseline P, Sec. VIII-A)", choose_patch},
    Policy{"head", "each branch split by attention heads alone (baseline AH, Sec. VIII-A)", choose_head},
    Policy{"allspark", "the optimum of the paper's program (Sec. VI), proven by dynamic programming", choose_optimum,
           false, require_weight_reuse},
    Policy{"allspark-ilp", "the paper's own binary program (Eq. 1-15), solved by CBC within ilp_time_limit",
           choose_by_paper_ilp, true, require_weight_reuse},
    Policy{"allspark-milp", "the optimum of the paper's program from a compact mixed-integer program, solved by CBC",
           choose_by_compact_milp, false, require_weight_reuse},
    Policy{"manual", "the temporal layers that axis `schedule` lists", read_manual, false, require_schedule},
};

ExtensibleList<Policy>& policy_list() {
  static ExtensibleList<Policy> list(all_policies);
  return list;
}

}  // namespace

std::span<const Policy> policies() { return policy_list().read(); }

void register_policy(const Policy& policy) { policy_list().add(policy); }

}  // namespace pimsweep::systems::allspark
