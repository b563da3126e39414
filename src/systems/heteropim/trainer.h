#pragma once

#include "systems/heteropim/outcome.h"
#include "systems/heteropim/runtime/executor.h"
#include "systems/heteropim/settings.h"
#include "workload/training/graph_cache.h"

namespace pimsweep::systems::heteropim {

/// Throws PointError for a partner beside a policy that runs one operation at a time.
void require_scheduler_for_partner(const Settings& settings);

/// Runs points; keeps the working memory of the executor.
class Trainer {
 public:
  explicit Trainer(workload::training::GraphCache& graphs) : graphs_(graphs) {}
  /// Throws PointError as require_scheduler_for_partner() does, for a machine that cannot be built, and for runs that
  /// are too long.
  Outcome run(const Settings& settings);

 private:
  CoRun run_beside(const Settings& settings, const Outcome& outcome, const runtime::Stream& stream);

  workload::training::GraphCache& graphs_;
  runtime::Executor executor_;
};

}  // namespace pimsweep::systems::heteropim
