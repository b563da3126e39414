#pragma once

#include <list>
#include <memory>

#include "systems/allspark/cycle/phase_simulator.h"

namespace pimsweep::systems::allspark::cycle {

/// Keeps the simulators used last, so that a study that goes through machines comes back to them. Machines with the
/// same banks share what was simulated of these.
class SimulatorCache {
 public:
  std::shared_ptr<PhaseSimulator> get(const CycleSettings& settings);

 private:
  std::list<std::shared_ptr<PhaseSimulator>> simulators_;
};

}  // namespace pimsweep::systems::allspark::cycle
