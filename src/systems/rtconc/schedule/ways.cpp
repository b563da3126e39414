#include "systems/rtconc/schedule/ways.h"

#include <algorithm>
#include <cmath>

namespace pimsweep::rtconc {

std::vector<Case> cases_of(const manycore::Device& device) {
  const double tiles = std::ceil(device.cores / device.cores_per_tile);
  std::vector<Case> cases;
  for (double threads = 1; threads <= device.cores; ++threads) {
    if (threads <= tiles) cases.push_back({threads, manycore::Affinity::spread});
    if (std::fmod(threads, 2) == 0) cases.push_back({threads, manycore::Affinity::compact});
  }
  return cases;
}

CostTable::CostTable(const manycore::Device& device, std::span<const OperationClass> classes,
                     std::span<const Case> cases)
    : cases_(cases.size()) {
  costs_.reserve(classes.size() * cases.size());
  for (const OperationClass& one : classes) {
    for (const Case& which : cases) {
      // Beyond the library's limit nothing changes: the other cores stay free.
      const double used = std::min(which.threads, std::max(1.0, one.most_threads));
      costs_.push_back(run_cost(device, one.work, manycore::place(device, used, which.affinity)));
      costs_.back().team = manycore::place(device, which.threads, which.affinity);
    }
  }
}

}  // namespace pimsweep::rtconc
