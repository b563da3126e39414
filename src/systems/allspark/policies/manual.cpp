#include "systems/allspark/policies/policies.h"
#include "systems/allspark/schedule_text.h"

namespace pimsweep::systems::allspark {

Policy manual_policy() {
  return {"manual", "the layers that the axis `schedule` lists", [](ModelCosts& costs, const PolicyOptions& options) {
            Decision decision;
            decision.stages = read_schedule(options.schedule, costs);
            return decision;
          }};
}

}  // namespace pimsweep::systems::allspark
