#include "systems/hypar/partition.h"
#include "systems/hypar/policies/policies.h"

namespace pimsweep::systems::hypar {

search::Assignment hypar_assignment(const PolicyInput& input) {
  HierarchicalPartition partition(input.bytes.task);
  search::Assignment assignment;
  partition.run(input.network, input.bytes, input.levels, assignment);
  return assignment;
}

Policy hypar_policy() {
  return {"hypar", "HyPar: least bytes at each level in turn, from the top (Algorithms 1 and 2)",
          [](const PolicyInput& input) {
            return Choice{hypar_assignment(input), "best level by level"};
          }};
}

}  // namespace pimsweep::systems::hypar
