#pragma once

#include "hardware/noc/step_simulation.h"
#include "systems/hypar/training_point.h"
#include "systems/system.h"

namespace pimsweep::systems::hypar {

/// The simulated step, for fidelities "event" and "cycle".
struct SimulatedStep {
  const hardware::noc::StepProgram& program;
  const hardware::noc::StepTimeline& timeline;
  const std::vector<TaskName>& names;
};

/// Metrics and tables of a point; `simulated` is null for fidelity "analytic".
void write_record(const TrainingPoint& point, bool counts_all_energy, const SimulatedStep* simulated,
                  const Schema& schema, Record& record);

/// Bound on the time of a step: all products at peak rate, or what the busiest link has to carry.
double least_time(const TrainingPoint& point);

/// "0011 0000 ..." for the layers, junctions left out.
std::string layers_text(const TrainingPoint& point);
/// One digit for each layer at a level.
std::string level_text(const TrainingPoint& point, int level);
/// "convolution", "fully connected", "junction".
std::string kind_text(const workload::TrainingNode& node);

}  // namespace pimsweep::systems::hypar
