#include "systems/allspark/cycle/simulator_cache.h"

#include <algorithm>

namespace pimsweep::allspark {

namespace {

/// More than the machines of one study.
constexpr std::size_t most_simulators = 64;

bool same_banks(const CycleSettings& a, const CycleSettings& b) {
  return a.bank == b.bank && a.banks == b.banks && a.word_bytes == b.word_bytes;
}

}  // namespace

std::shared_ptr<PhaseSimulator> SimulatorCache::get(const CycleSettings& settings) {
  const auto find = [&](auto matches) {
    return std::find_if(simulators_.begin(), simulators_.end(),
                        [&](const auto& simulator) { return matches(simulator->settings()); });
  };
  const auto same = find([&](const CycleSettings& other) { return other == settings; });
  if (same != simulators_.end()) {
    simulators_.splice(simulators_.begin(), simulators_, same);
    return simulators_.front();
  }
  const auto relative = find([&](const CycleSettings& other) { return same_banks(other, settings); });
  simulators_.push_front(relative == simulators_.end()
                             ? std::make_shared<PhaseSimulator>(settings)
                             : std::make_shared<PhaseSimulator>(settings, (*relative)->dram()));
  if (simulators_.size() > most_simulators) simulators_.pop_back();
  return simulators_.front();
}

}  // namespace pimsweep::allspark
