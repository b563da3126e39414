#pragma once

#include <string>
#include <utility>
#include <vector>

#include "systems/rtconc/scheduling.h"

namespace pimsweep::systems::rtconc {

/// A point: its step, what its performance model predicts, and the step under its policy and the recommended one.
class TrainingPoint {
 public:
  TrainingPoint(const Point& point, const Machine& machine, StepCache& steps);

  Machine machine;
  const PreparedStep& step;
  /// The step's classes, with those resizable that the point lets the strategies choose threads for.
  std::vector<schedule::OperationClass> classes;
  PerformanceModel model;
  Scheduled recommended;
  Scheduled scheduled;
};

/// Steps that a regression model of the point learns from (Sec. III-B): ResNet-50, DCGAN and Inception-v3 with batches
/// of 16 to 256, but not the one to be predicted. None for other models.
std::vector<std::pair<std::string, std::int64_t>> learnt_steps(const Point& point, const StepCache& steps);

}  // namespace pimsweep::systems::rtconc
