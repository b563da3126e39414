#pragma once

#include <string_view>
#include <vector>

#include "systems/rtconc/hill_climbing.h"
#include "systems/rtconc/schema.h"
#include "systems/rtconc/step_cache.h"

namespace pimsweep::systems::rtconc {

/// Inter-op and intra-op parallelism.
struct Setting {
  std::int64_t inter = 1;
  std::int64_t intra = 1;
};

/// A setting that was tried.
struct Trial {
  Setting setting;
  double seconds = 0;
};

/// A step that has been run under a policy.
struct Scheduled {
  schedule::Outcome outcome;
  /// Uniform policies.
  Setting setting;
  std::vector<Trial> trials;
  /// Costs that the outcome points to.
  std::unique_ptr<schedule::CostTable> costs;
};

/// Runs a prepared step under the policies.
class Scheduling {
 public:
  Scheduling(const PreparedStep& step, const Machine& machine);

  Scheduled uniform(const Setting& setting);
  Setting recommended() const;
  /// As many operations and threads as there are hardware threads; OpenMP's threads spin.
  Scheduled tensorflow_default();
  /// The fastest of all settings of the grid.
  Scheduled manual();
  /// `avoided_slowdown`: see the axis.
  Scheduled strategies(const schedule::StrategySet& set, const PerformanceModel& model,
                       const std::vector<schedule::OperationClass>& classes, double avoided_slowdown);
  /// The fastest over a few prices of cores and numbers of threads that they may have.
  Scheduled moldable();

 private:
  Scheduled uniform(const Setting& setting, bool spins);
  schedule::Overheads overheads(double spinning_pool) const;

  const PreparedStep& step_;
  Machine machine_;
  schedule::Board board_;
};

}  // namespace pimsweep::systems::rtconc
