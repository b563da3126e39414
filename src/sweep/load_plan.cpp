#include "sweep/plan.h"

namespace pimsweep::sweep {

Plan load_plan(const std::string& path, const PlanOptions& options) {
  return load_plan(path, options, [](const std::string& system, const ConfigFolders& configs) {
    return systems::Schema(systems::make_system(system, configs)->schema());
  });
}

}  // namespace pimsweep::sweep
