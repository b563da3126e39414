#include "driver/cores.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

namespace pimsweep::driver {

namespace {

int cores_by_affinity() {
  // A set of fixed size is too small for the largest machines.
  for (int cores = 1024; cores <= (1 << 20); cores *= 2) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(CPU_ALLOC(static_cast<std::size_t>(cores)),
                                                               [](cpu_set_t* allocated) { CPU_FREE(allocated); });
    const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(cores));
    if (set && ::sched_getaffinity(0, bytes, set.get()) == 0) return CPU_COUNT_S(bytes, set.get());
  }
  return static_cast<int>(std::thread::hardware_concurrency());
}

/// Cores' worth of time that a control group may use, rounded up; 0 if it has no limit.
int quota_of(const std::filesystem::path& group) {
  std::ifstream file(group / "cpu.max");
  double quota = 0;
  double period = 0;
  // The word "max" is not a number.
  if (!(file >> quota >> period) || quota <= 0 || period <= 0) return 0;
  return static_cast<int>(std::ceil(quota / period));
}

/// The path of this process's group in the tree of cgroup v2, or empty.
std::string own_group() {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("0::/")) return line.substr(4);
  }
  return {};
}

}  // namespace

int available_cores() {
  int cores = std::max(1, cores_by_affinity());
  const std::filesystem::path root = "/sys/fs/cgroup";
  for (std::filesystem::path group = root / own_group();; group = group.parent_path()) {
    if (const int quota = quota_of(group); quota > 0) cores = std::min(cores, quota);
    if (group == root || !group.has_relative_path()) return cores;
  }
}

int idle_cores(int cores) {
  // Its fourth word: threads that run or wait for a core, this one among them, by all threads.
  std::ifstream file("/proc/loadavg");
  double average = 0;
  int running = 0;
  if (!(file >> average >> average >> average >> running)) return 0;
  return std::max(0, cores - std::max(1, running));
}

}  // namespace pimsweep::driver
