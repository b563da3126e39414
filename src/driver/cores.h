#pragma once

namespace pimsweep::driver {

/// Number of processor cores that this process may use, at least 1: those that it is bound to (sched_getaffinity), but
/// no more than what the control groups that it is in allow it in time (cpu.max of cgroup v2).
int available_cores();

/// Number of `cores` cores that are idle on this host at this moment, apart from the calling thread's own: at least
/// 0.
int idle_cores(int cores);

}  // namespace pimsweep::driver
