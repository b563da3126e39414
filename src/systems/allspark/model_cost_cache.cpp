#include "systems/allspark/model_cost_cache.h"

#include <algorithm>

namespace pimsweep::systems::allspark {

namespace {
/// More than the models of one study, so that a sweep whose outer axis is the policy still finds them.
constexpr std::size_t max_entries = 128;
}  // namespace

ModelCosts& ModelCostCache::get(std::string_view model, std::int64_t image_px, const Machine& machine,
                                const Conditions& conditions, const std::shared_ptr<cycle::PhaseSimulator>& simulator) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.model == model && entry.image_px == image_px && entry.costs.machine() == machine &&
           entry.costs.conditions() == conditions && entry.costs.simulator() == simulator.get();
  });
  if (found != entries_.end()) {
    entries_.splice(entries_.begin(), entries_, found);
  } else {
    entries_.push_front(
        {std::string(model), image_px,
         ModelCosts(models_.vision_transformer(model, image_px), machine, conditions, gemms_, simulator)});
    if (entries_.size() > max_entries) entries_.pop_back();
  }
  return entries_.front().costs;
}

}  // namespace pimsweep::systems::allspark
