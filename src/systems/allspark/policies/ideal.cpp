#include "systems/allspark/policies/policies.h"

namespace pimsweep::systems::allspark {

Policy ideal_policy() {
  return {"ideal", "all PEs busy with the encoders' multiply-accumulates, nothing moved (Fig. 11)",
          [](ModelCosts&, const PolicyOptions&) {
            Decision decision;
            decision.ideal = true;
            return decision;
          }};
}

}  // namespace pimsweep::systems::allspark
