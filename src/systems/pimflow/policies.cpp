#include <array>

#include "systems/extensible_list.h"
#include "systems/pimflow/planning.h"
#include "systems/pimflow/split.h"

namespace pimsweep::systems::pimflow {

namespace {

Plan plan_gpu(const PolicyInput& input) {
  return one_by_one(input, [&](const Node& node) { return on_gpu(input.costs, node); });
}

/// Newton+ and Newton++, which differ in PIM's commands.
Plan plan_newton(const PolicyInput& input) {
  return one_by_one(input, [&](const Node& node) { return faster_device(input.costs, node); });
}

Plan plan_pimflow_md(const PolicyInput& input) {
  return one_by_one(input, [&](const Node& node) { return best_share(input.costs, node, input.split_interval); });
}

Plan plan_pimflow_pl(const PolicyInput& input) {
  return with_pipelines(
      input, [&](const Node& node) { return faster_device(input.costs, node); }, {input.stages, input.stages},
      Order::topological);
}

Plan plan_pimflow(const PolicyInput& input) {
  return with_pipelines(
      input, [&](const Node& node) { return best_share(input.costs, node, input.split_interval); },
      {input.stages, input.stages}, Order::topological);
}

Plan plan_pimflow_optimal(const PolicyInput& input) {
  return with_pipelines(
      input, [&](const Node& node) { return best_rows(input.costs, node, input.split_interval); }, StageRange{},
      Order::chains);
}

constexpr std::array all_policies{
    Policy{.name = "gpu",
           .doc = "baseline: everything on the GPU, which has all memory channels",
           .divides_memory = false,
           .optimized_commands = false,
           .plan = plan_gpu},
    Policy{.name = "newton+",
           .doc = "Newton+: each convolution and fully connected layer whole on GPU or PIM",
           .optimized_commands = false,
           .plan = plan_newton},
    Policy{.name = "newton++", .doc = "Newton++: Newton+ with optimized PIM commands", .plan = plan_newton},
    Policy{.name = "pimflow-md",
           .doc = "PIMFlow-md: Newton++ with layers split over GPU and PIM at an interval (MD-DP)",
           .tries_shares = true,
           .plan = plan_pimflow_md},
    Policy{.name = "pimflow-pl",
           .doc = "PIMFlow-pl: Newton++ with pipelines of 1x1 and depthwise convolutions",
           .plan = plan_pimflow_pl},
    Policy{.name = "pimflow",
           .doc = "PIMFlow: splits and pipelines, chosen by Algorithm 1",
           .tries_shares = true,
           .plan = plan_pimflow},
    Policy{.name = "pimflow-optimal",
           .doc = "best rows for each split, and best pipelines of 2 to 5 stages on any graph",
           .plan = plan_pimflow_optimal},
};

ExtensibleList<Policy>& policy_list() {
  static ExtensibleList<Policy> list(all_policies);
  return list;
}

}  // namespace

std::span<const Policy> policies() { return policy_list().read(); }

void register_policy(const Policy& policy) { policy_list().add(policy); }

}  // namespace pimsweep::systems::pimflow
