#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "systems/cpu_axes.h"
#include "systems/rtconc/operation_work.h"
#include "systems/system.h"

namespace pimsweep::systems::rtconc {

/// The axes before the processor's, in the schema's order.
enum AxisIndex : std::size_t {
  step,
  batch,
  policy,
  inter,
  intra,
  performance_model,
  interval,
  sharing,
  time_noise,
  samples,
  counter_interval,
  resized,
  waiting,
  avoided_slowdown,
  timeline,
  seed,
  task
};

Schema make_schema(const std::vector<std::string>& steps, const std::vector<std::string>& models);

/// The name by which the library of training steps knows the point's.
std::string step_of(const Point& point);

/// What the constants of a point say.
struct Machine {
  hardware::manycore::Device cpu;
  EigenCosts eigen;
  /// The executor's time for each operation, in seconds.
  double dispatch = 0;
  /// What its clock counts in, in seconds.
  double clock = 0;
  /// The operating system's change from one thread to another, in seconds.
  double context_switch = 0;
  /// OpenMP's threads spin between two operations instead of sleeping.
  bool spins = false;
  /// In watts, whatever runs.
  double power = 0;
};

class MachineReader {
 public:
  explicit MachineReader(const Schema& schema);
  Machine operator()(const Point& point) const;

 private:
  CpuReader cpu_;
  std::size_t dispatch_, clock_, power_, startup_, thread_, byte_, switch_;
};

std::vector<PolicyInfo> policy_infos();

}  // namespace pimsweep::systems::rtconc
