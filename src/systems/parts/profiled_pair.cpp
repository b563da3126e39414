#include "systems/parts/profiled_pair.h"

#include <algorithm>

namespace pimsweep::systems::parts {

namespace {

double on_half_of_the_cores(const ProfiledRun& run) { return run.seconds / (1 - run.loss); }

}  // namespace

double makespan_of(CpuCoRun co_run, const ProfiledRun& one, const ProfiledRun& other) {
  if (co_run != CpuCoRun::partition) return one.seconds + other.seconds;
  return std::max(on_half_of_the_cores(one), on_half_of_the_cores(other));
}

}  // namespace pimsweep::systems::parts
