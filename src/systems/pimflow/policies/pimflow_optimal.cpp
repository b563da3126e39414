#include "systems/pimflow/policies/policies.h"
#include "systems/pimflow/split.h"

namespace pimsweep::systems::pimflow {

Policy pimflow_optimal_policy() {
  return {"pimflow-optimal",
          "the best rows for each split, and the best pipelines of 2 to 5 stages on any graph",
          true,
          true,
          false,
          [](const PolicyInput& input) {
            constexpr std::int64_t least = 2;
            constexpr std::int64_t most = 5;
            return with_pipelines(
                input, [&](const Node& node) { return best_rows(input.costs, node, input.split_interval); }, least,
                most, Order::chains);
          }};
}

}  // namespace pimsweep::systems::pimflow
