#include "systems/allspark/model_cost_cache.h"

#include "systems/allspark/cycle/sustained_phases.h"

namespace pimsweep::systems::allspark {

std::size_t ModelCostCache::Hash::operator()(const Key& key) const {
  return combined_hash(key.model, key.image_px, key.conditions.batch, key.conditions.fidelity == Fidelity::cycle);
}

ModelCosts& ModelCostCache::get(std::string_view model, std::int64_t image_px, const Machine& machine,
                                const Conditions& conditions) {
  return costs_.get({std::string(model), image_px, machine, conditions}, [&] {
    return ModelCosts(models_.vision_transformer(model, image_px), machine, conditions, gemms_,
                      phase_times(machine, conditions));
  });
}

std::unique_ptr<cycle::PhaseTimes> ModelCostCache::phase_times(const Machine& machine, const Conditions& conditions) {
  if (conditions.fidelity == Fidelity::analytic) {
    if (conditions.rates == Rates::peak) return nullptr;
    return std::make_unique<cycle::SustainedPhases>(machine);
  }
  const cycle::NodeNetwork network{machine.node_rows, machine.node_cols, machine.router(), machine.packets()};
  const Banks banks{cycle::simulated_bank(machine), machine.dram.banks, machine.word_bytes};
  const auto& dram =
      drams_.get(banks, [&] { return std::make_shared<cycle::NodeDram>(banks.bank, banks.banks, banks.word_bytes); });
  const auto& rings = rings_.get(network, [&] { return std::make_shared<cycle::RingTimes>(network); });
  return std::make_unique<cycle::PhaseSimulator>(machine, dram, rings);
}

}  // namespace pimsweep::systems::allspark
