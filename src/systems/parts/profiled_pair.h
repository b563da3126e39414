#pragma once

#include "systems/parts/cpu_kernel_point.h"

namespace pimsweep::systems::parts {

/// Time until two operations of known times are done (rtconc, Sec. II-C3): one after the other, or with the same cores,
/// which do no more for two than for one, the sum; with half of the cores each, the longer of both.
double makespan_of(CpuCoRun co_run, const ProfiledRun& one, const ProfiledRun& other);

}  // namespace pimsweep::systems::parts
