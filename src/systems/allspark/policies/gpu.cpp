#include "systems/allspark/policies/policies.h"

namespace pimsweep::systems::allspark {

Policy gpu_policy() {
  return {"gpu", "the whole network on the graphics card hardware.gpu, kernel after kernel (Fig. 16, docs/gpu.md)",
          [](ModelCosts&, const PolicyOptions&) {
            Decision decision;
            decision.on_gpu = true;
            return decision;
          }};
}

}  // namespace pimsweep::systems::allspark
