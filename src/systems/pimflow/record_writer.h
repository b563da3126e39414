#pragma once

#include "systems/pimflow/inference_point.h"
#include "systems/system.h"

namespace pimsweep::systems::pimflow {

/// Metrics and tables of a point.
void write_record(InferencePoint& point, const Schema& schema, Record& record);

/// Time by what is computed, in seconds.
struct TimeByKind {
  double pointwise = 0;
  double convolution = 0;
  double depthwise = 0;
  double fully_connected = 0;
  double other = 0;

  double candidate_convolutions() const { return pointwise + convolution; }
};
TimeByKind time_by_kind(const Network& network, const Plan& plan);

}  // namespace pimsweep::systems::pimflow
