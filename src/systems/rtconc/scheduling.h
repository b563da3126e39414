#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "systems/rtconc/hill_climbing.h"
#include "systems/rtconc/schedule/strategies.h"
#include "systems/rtconc/settings.h"
#include "systems/rtconc/step_cache.h"

namespace pimsweep::systems::rtconc {

/// Operations at a time (inter-op parallelism) and threads of each (intra-op parallelism).
struct Setting {
  std::int64_t inter = 1;
  std::int64_t intra = 1;
};

/// A setting that was tried, with the time of the step.
struct Trial {
  Setting setting;
  double seconds = 0;
};

/// A step that has been run under a policy.
struct Scheduled {
  schedule::Outcome outcome;
  /// Policies that run all operations at one setting.
  std::optional<Setting> setting;
  std::vector<Trial> trials;
  /// The costs to which the outcome points, unless they belong to the prepared step.
  std::shared_ptr<const schedule::CostTable> costs;
};

/// Runs a prepared step; step and machine must outlive it.
class Scheduling {
 public:
  Scheduling(const PreparedStep& step, const Machine& machine);

  /// One operation at a time, a thread for each core.
  Setting recommended() const;
  /// All operations at one setting; With `spins`, OpenMP's threads spin between operations.
  Scheduled uniform(const Setting& setting, bool spins);
  Scheduled uniform(const Setting& setting) { return uniform(setting, machine_.spins); }
  /// By the strategies of Sec. III-D. Unless `avoided_slowdown` is 0, the step is run twice: pairs of types that slowed
  /// each other by more than this share do not run at the same time in the second run.
  Scheduled strategies(const schedule::StrategySet& set, const PerformanceModel& model,
                       std::span<const schedule::OperationClass> classes, double avoided_slowdown);
  /// The fastest list schedule of moldable operations over several prices of cores and limits of threads.
  Scheduled moldable();

 private:
  schedule::Overheads overheads(double spinning_pool) const;
  /// The costs of all operations with this number of threads; the last ones are kept.
  std::shared_ptr<const schedule::CostTable> uniform_costs(std::int64_t intra, bool spins);

  const PreparedStep& step_;
  const Machine& machine_;
  schedule::Board board_;
  std::shared_ptr<const schedule::CostTable> last_costs_;
  std::int64_t last_intra_ = 0;
  bool last_spins_ = false;
};

}  // namespace pimsweep::systems::rtconc
