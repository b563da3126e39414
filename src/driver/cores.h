#pragma once

namespace pimsweep::driver {

/// Number of processor cores that this process may use, at least 1: those that it is bound to (sched_getaffinity), but
/// no more than what the control groups that it is in allow it in time (cpu.max of cgroup v2).
int available_cores();

}  // namespace pimsweep::driver
