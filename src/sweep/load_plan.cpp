#include "sweep/plan.h"

namespace pimsweep::sweep {

Plan load_plan(const std::string& path, const PlanOptions& options) {
  return load_plan(path, options, [&](const std::string& system) {
    return systems::Schema(systems::make_system(system, options.config_dir)->schema());
  });
}

}  // namespace pimsweep::sweep
