#pragma once

#include <vector>

#include "systems/rtconc/scheduling.h"
#include "systems/rtconc/settings.h"

namespace pimsweep::systems::rtconc {

/// A step of a point: the performance model, and the step under the point's policy and the recommended one.
struct TrainingRun {
  const PreparedStep& step;
  PerformanceModel model;
  Scheduled recommended;
  Scheduled scheduled;
};

/// Runs a point. Throws PointError for settings that its processor or step cannot have.
TrainingRun run_training(const Settings& settings, StepCache& steps);

/// Steps that the point's regression model learns from (Sec. III-B): ResNet-50, DCGAN and Inception-v3 with batches of
/// 16 to 256, without the one to be predicted. None if the point has no regression model.
std::vector<workload::training::StepChoice> learned_steps(const Settings& settings);

}  // namespace pimsweep::systems::rtconc
