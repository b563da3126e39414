#include "systems/allspark/cycle/simulator_cache.h"

#include <algorithm>

namespace pimsweep::systems::allspark::cycle {

namespace {

/// More than the machines of one study.
constexpr std::size_t max_simulators = 64;

bool same_banks(const CycleSettings& a, const CycleSettings& b) {
  return a.bank == b.bank && a.banks == b.banks && a.word_bytes == b.word_bytes;
}

}  // namespace

std::shared_ptr<PhaseSimulator> SimulatorCache::get(const CycleSettings& settings) {
  const auto find = [&](auto matches) {
    return std::find_if(simulators_.begin(), simulators_.end(),
                        [&](const auto& simulator) { return matches(simulator->settings()); });
  };
  const auto none = simulators_.end();
  const auto same = find([&](const CycleSettings& other) { return other == settings; });
  if (same != none) {
    simulators_.splice(simulators_.begin(), simulators_, same);
    return simulators_.front();
  }
  const auto banks = find([&](const CycleSettings& other) { return same_banks(other, settings); });
  const auto nodes = find([&](const CycleSettings& other) { return other.nodes == settings.nodes; });
  simulators_.push_front(std::make_shared<PhaseSimulator>(
      settings,
      banks != none ? (*banks)->dram() : std::make_shared<NodeDram>(settings.bank, settings.banks, settings.word_bytes),
      nodes != none ? (*nodes)->rings() : std::make_shared<RingTimes>(settings.nodes)));
  if (simulators_.size() > max_simulators) simulators_.pop_back();
  return simulators_.front();
}

}  // namespace pimsweep::systems::allspark::cycle
