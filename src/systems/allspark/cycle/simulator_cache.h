#pragma once

#include <cstddef>
#include <memory>

#include "base/bounded_cache.h"
#include "systems/allspark/cycle/phase_simulator.h"

namespace pimsweep::systems::allspark::cycle {

/// Keeps the simulators used last, to which a study that varies the machine returns. Machines with equal banks or node
/// arrays share the simulations of these.
class SimulatorCache {
 public:
  std::shared_ptr<PhaseSimulator> get(const CycleSettings& settings);

 private:
  struct Banks {
    hardware::dram::Dram bank;
    std::int64_t banks;
    double word_bytes;
    friend bool operator==(const Banks&, const Banks&) = default;
  };
  struct Hash {
    std::size_t operator()(const CycleSettings& key) const;
    std::size_t operator()(const Banks& key) const;
    std::size_t operator()(const NodeNetwork& key) const;
  };
  /// More than the machines of one study.
  static constexpr std::size_t max_simulators = 64;

  BoundedCache<CycleSettings, std::shared_ptr<PhaseSimulator>, Hash> simulators_{max_simulators};
  BoundedCache<Banks, std::shared_ptr<NodeDram>, Hash> drams_{max_simulators};
  BoundedCache<NodeNetwork, std::shared_ptr<RingTimes>, Hash> rings_{max_simulators};
};

}  // namespace pimsweep::systems::allspark::cycle
