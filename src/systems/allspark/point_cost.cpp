#include "systems/allspark/point_cost.h"

#include "systems/allspark/placement/placement_method.h"

namespace pimsweep::systems::allspark {

namespace {

/// Mean seconds of a point, measured on one core (docs/allspark.md, "Speed"; docs/allspark-placement.md). They are part
/// of no result: what counts is which points take much longer than others, and that is alike on all processors.
struct MeasuredSeconds {
  /// Schedules by formula under policies without a time limit: Figure 11 has 315 points.
  double schedule = 50e-6;
  /// Schedules on routers and DRAM: study `fidelity` of experiments/allspark-fidelity.toml.
  double simulated_schedule = 0.015;
  /// Schedules and the exchanges of placed branches on routers and DRAM: experiments/allspark-placement.toml.
  double simulated_exchanges = 3;
};
constexpr MeasuredSeconds measured;

}  // namespace

double expected_seconds(const Settings& settings) {
  if (settings.execution != Execution::schedule) return measured.schedule;
  double seconds = settings.policy->is_time_limited ? settings.options.ilp_time_limit : measured.schedule;
  if (settings.placement != nullptr) seconds += settings.placement->expected_seconds;
  if (settings.fidelity == Fidelity::cycle) {
    seconds += settings.placement == nullptr ? measured.simulated_schedule : measured.simulated_exchanges;
  }
  return seconds;
}

}  // namespace pimsweep::systems::allspark
