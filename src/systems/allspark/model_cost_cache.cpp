#include "systems/allspark/model_cost_cache.h"

namespace pimsweep::systems::allspark {

ModelCosts& ModelCostCache::get(std::string_view model, std::int64_t image_px, const Machine& machine,
                                const Conditions& conditions, const std::shared_ptr<cycle::PhaseSimulator>& simulator) {
  return costs_.get({std::string(model), image_px, machine, conditions, simulator}, [&] {
    return ModelCosts(models_.vision_transformer(model, image_px), machine, conditions, gemms_, simulator);
  });
}

}  // namespace pimsweep::systems::allspark
