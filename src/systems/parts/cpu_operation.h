#pragma once

#include "systems/parts/cpu_kernel_point.h"

namespace pimsweep::systems::parts {

/// One operation as a point of the system `cpu-kernel` describes it, for any number of threads.
class CpuOperation {
 public:
  CpuOperation(const CpuKernelSettings& settings, hardware::Pass pass);

  const hardware::manycore::Work& work() const { return work_; }
  hardware::manycore::Placement place(double threads) const;
  hardware::manycore::RunTime run(double threads) const;
  /// Time to create threads. The first one is there already.
  double spawn(double threads) const { return spawns_ ? (threads - 1) * cpu_.spawn : 0; }
  double seconds(double threads) const { return run(threads).total + spawn(threads); }
  /// The number of threads with the shortest time, at most one for each core.
  double best_threads() const;

 private:
  hardware::manycore::Device cpu_;
  hardware::manycore::Work work_;
  hardware::manycore::Affinity affinity_;
  bool spawns_;
};

/// Time until two operations that start together are both done: when one ends, the other continues alone. A process
/// creates the threads of both operations sequentially.
double makespan_of(const hardware::manycore::Device& cpu, const CpuOperation& one, const CpuOperation& other,
                   double threads, bool shares_cores);

/// Time until two operations of known times are done (rtconc, Sec. II-C3): the sum if they run in sequence, or on the
/// same cores, whose throughput is the same for two operations as for one; the longer time if each has half of the
/// cores.
double makespan_of(CpuCoRun co_run, const ProfiledRun& one, const ProfiledRun& other);

}  // namespace pimsweep::systems::parts
