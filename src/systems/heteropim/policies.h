#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hardware/silicon/silicon.h"
#include "systems/heteropim/candidates.h"
#include "systems/heteropim/gpu_step.h"
#include "systems/heteropim/runtime/runtime.h"
#include "systems/heteropim/settings.h"
#include "systems/heteropim/step_costs.h"

namespace pimsweep::systems::heteropim {

/// The unit that runs the tasks which the runtime places on programmable PIM.
struct Accelerator {
  /// Value of column "device" of the timeline.
  std::string_view name = "programmable";
  /// Watts while it runs a task.
  double busy_power = 0;
  /// Multiplications and additions per second.
  double peak_rate = 0;
};

/// Execution of a training step under a policy: its machine, the costs of operations there, and the rules by which the
/// runtime places them.
struct Plan {
  MainMemory memory = MainMemory::stack;
  StepCosts costs;
  runtime::Runtime runtime;
  /// The operations by type, profiled on the host.
  std::vector<TypeProfile> profile;
  /// For each operation, 1 if it is offered to PIM, otherwise 0.
  std::vector<std::uint8_t> candidates;
  /// Operations by priority.
  std::vector<std::uint32_t> order;
  Accelerator accelerator;
  /// Policies that run the step on the GPU.
  std::optional<GpuStep> gpu;
  /// Silicon of the machine; empty if the area of a part is unknown.
  std::optional<hardware::silicon::Parts> parts;
};

/// A machine and the way in which operations are scheduled on it (Hetero-PIM, Sec. VI).
struct Policy {
  std::string_view name;
  std::string_view doc;
  /// Throws PointError if the point's machine cannot be built.
  Plan (*choose)(const Settings& settings, const workload::training::TrainingGraph& graph);
  /// True if the runtime schedules operations; otherwise they run one after another.
  bool schedules = false;
};

extern const std::array<Policy, 7> policies;

}  // namespace pimsweep::systems::heteropim
