#include "systems/rtconc/schedule/cost_table.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::systems::rtconc::schedule {

namespace {

double used_threads(const OperationClass& one, const Case& which) {
  return std::min(which.threads, std::max(1.0, one.max_threads));
}

hardware::manycore::Placement placement_of(const hardware::manycore::Device& device, const OperationClass& one,
                                           const Case& which) {
  return hardware::manycore::place(device, used_threads(one, which), which.affinity);
}

}  // namespace

std::vector<Case> cases_of(const hardware::manycore::Device& device) {
  const double tiles = std::ceil(device.cores / device.cores_per_tile);
  std::vector<Case> cases;
  for (int count = 1; count <= device.cores; ++count) {
    const double threads = count;
    if (threads <= tiles) cases.push_back({threads, hardware::manycore::Affinity::spread});
    if (count % 2 == 0) cases.push_back({threads, hardware::manycore::Affinity::compact});
  }
  return cases;
}

std::vector<OperationClass> spinning(std::span<const OperationClass> classes) {
  std::vector<OperationClass> result(classes.begin(), classes.end());
  for (OperationClass& one : result) {
    if (one.waking.start == Start::one_by_one) one.waking.start = Start::spinning;
  }
  return result;
}

RunTimes::RunTimes(const hardware::manycore::Device& device, std::span<const OperationClass> classes,
                   std::span<const Case> cases)
    : cases_(cases.size()) {
  times_.reserve(classes.size() * cases.size());
  for (const OperationClass& one : classes) {
    for (const Case& which : cases) {
      times_.push_back(hardware::manycore::run_time(device, one.work, placement_of(device, one, which)));
    }
  }
}

RunCost cost_of(const hardware::manycore::Device& device, const OperationClass& one, const Case& which) {
  return cost_of(device, one, which, hardware::manycore::run_time(device, one.work, placement_of(device, one, which)));
}

RunCost cost_of(const hardware::manycore::Device& device, const OperationClass& one, const Case& which,
                const hardware::manycore::RunTime& time) {
  RunCost cost = run_cost(device, one.work, placement_of(device, one, which), one.waking, time);
  cost.team = hardware::manycore::place(device, which.threads, which.affinity);
  if (one.serial > 0) {
    cost.drawn *= cost.seconds / (cost.seconds + one.serial);
    cost.seconds += one.serial;
    // Like conversion, it is computed by a thread that shares its core with those of other operations.
    cost.conversion += one.serial;
    cost.waking_share = cost.waking / cost.seconds;
  }
  return cost;
}

double seconds_of(const OperationClass& one, const Case& which, const hardware::manycore::RunTime& time) {
  return time.total + waking_time(one.waking, used_threads(one, which)) + one.serial;
}

CostTable::CostTable(const hardware::manycore::Device& device, std::span<const OperationClass> classes,
                     std::span<const Case> cases)
    : CostTable(device, classes, cases, RunTimes(device, classes, cases)) {}

CostTable::CostTable(const hardware::manycore::Device& device, std::span<const OperationClass> classes,
                     std::span<const Case> cases, const RunTimes& times)
    : cases_(cases.size()) {
  costs_.reserve(classes.size() * cases.size());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (std::size_t which = 0; which < cases.size(); ++which) {
      costs_.push_back(cost_of(device, classes[c], cases[which], times.at(c, which)));
    }
  }
}

CostTable::CostTable(const CostTable& whole, std::size_t which) : cases_(1) {
  costs_.reserve(whole.classes());
  for (std::size_t c = 0; c < whole.classes(); ++c) costs_.push_back(whole.at(c, which));
}

}  // namespace pimsweep::systems::rtconc::schedule
