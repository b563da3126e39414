#pragma once

#include <cstdint>
#include <optional>

#include "systems/heteropim/policies.h"
#include "systems/heteropim/runtime/runtime.h"

namespace pimsweep::systems::heteropim {

/// Joules of one step.
struct StepEnergy {
  double idle = 0;
  double host = 0;
  double programmable = 0;
  double pairs = 0;
  double memory = 0;
  double gpu = 0;

  double dynamic() const { return host + programmable + pairs + memory + gpu; }
  double total() const { return idle + dynamic(); }
};

/// Data movement and computation of all steps of a run; work is multiplications and additions.
struct Activity {
  double host_bytes = 0;
  double host_work = 0;
  double stack_bytes = 0;
  /// On pairs and processors.
  double pim_work = 0;
  double pair_work = 0;
};

/// Shares of the time in which the parts of the machine work.
struct Utilization {
  double host = 0;
  double programmable = 0;
  double pairs = 0;
};

/// Lower bounds of the time of a step for policies that schedule.
struct Bounds {
  double critical_path = 0;
  double work = 0;
};

/// A second training step beside the first.
struct CoRun {
  /// Steps of the partner beside one step.
  std::uint32_t steps = 0;
  /// Seconds of a step of the partner alone.
  double partner_time = 0;
  /// Seconds of all steps of both, side by side and one after the other.
  double together_time = 0;
  double one_by_one_time = 0;
};

/// A step that has been run. Times are means over all steps but the first.
struct Outcome {
  Plan plan;
  runtime::Execution execution;
  double time = 0;
  /// The parts of `time`.
  double operation = 0;
  double movement = 0;
  double synchronization = 0;
  Activity activity;
  StepEnergy energy;
  Utilization utilization;
  std::optional<Bounds> bounds;
  std::optional<CoRun> partner;
};

}  // namespace pimsweep::systems::heteropim
