#pragma once

#include <list>
#include <memory>

#include "systems/allspark/cycle/phase_simulator.h"

namespace pimsweep::systems::allspark::cycle {

/// Keeps the most recently used simulators, to which a study that varies the machine returns. Machines with equal banks
/// or node arrays share the simulations of these.
class SimulatorCache {
 public:
  std::shared_ptr<PhaseSimulator> get(const CycleSettings& settings);

 private:
  std::list<std::shared_ptr<PhaseSimulator>> simulators_;
};

}  // namespace pimsweep::systems::allspark::cycle
