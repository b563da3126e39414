#include "systems/rtconc/schedule/cost_table.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::systems::rtconc::schedule {

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

RunCost cost_of(const hardware::manycore::Device& device, const OperationClass& one, const Case& which) {
  const double used = std::min(which.threads, std::max(1.0, one.max_threads));
  RunCost cost = prolonged(
      run_cost(device, one.work, hardware::manycore::place(device, used, which.affinity), one.waking), one.time_factor);
  cost.team = hardware::manycore::place(device, which.threads, which.affinity);
  return cost;
}

CostTable::CostTable(const hardware::manycore::Device& device, std::span<const OperationClass> classes,
                     std::span<const Case> cases)
    : cases_(cases.size()) {
  costs_.reserve(classes.size() * cases.size());
  for (const OperationClass& one : classes) {
    for (const Case& which : cases) costs_.push_back(cost_of(device, one, which));
  }
}

}  // namespace pimsweep::systems::rtconc::schedule
