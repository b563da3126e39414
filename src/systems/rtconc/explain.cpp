#include "systems/rtconc/explain.h"

#include <fmt/format.h>

#include "systems/rtconc/summary.h"

namespace pimsweep::systems::rtconc {

void explain_run(const Settings& settings, const TrainingRun& run, Explanation& explanation) {
  const auto seconds = [](double value) { return fmt::format("{:.6g} s", value); };
  const schedule::Outcome& outcome = run.scheduled.outcome;
  auto& whole = explanation.section("step").lines;
  whole.push_back({"time", seconds(outcome.seconds), ""});
  whole.push_back({"recommended", seconds(run.recommended.outcome.seconds), "one at a time, all cores"});
  const Bounds bounds = bounds_of(settings, run);
  whole.push_back({"critical path", seconds(bounds.critical_path), "each operation alone and at its best"});
  whole.push_back({"work bound", seconds(bounds.work), "arithmetic over all cores"});
  whole.push_back({"changes", seconds(outcome.change_seconds), "of concurrency"});
  whole.push_back({"contention", seconds(outcome.contention_seconds), "lost by operations beside others"});
  auto& types = explanation.section("types").lines;
  for (const TypeTotal& total : totals_by_type(run)) {
    types.push_back({std::string(workload::training::name_of(total.type)), seconds(total.seconds),
                     fmt::format("{} operations, {:.1f} threads; recommended {}", total.instances, total.mean_threads(),
                                 seconds(total.recommended))});
  }
}

}  // namespace pimsweep::systems::rtconc
