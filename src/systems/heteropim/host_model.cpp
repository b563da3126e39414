#include "systems/heteropim/host_model.h"

#include <algorithm>
#include <cmath>

#include "systems/heteropim/task_kind.h"

namespace pimsweep::systems::heteropim {

namespace {

constexpr double word = 4;

double tile_traffic(const workload::training::TrainingOperation& operation, double cache) {
  const auto macs = static_cast<double>(operation.work.multiplications);
  return 2 * macs * word / std::sqrt(cache / word / 3);
}

}  // namespace

double HostModel::memory_bytes(const workload::training::TrainingOperation& operation, double traffic) const {
  if (!reuses_operands(operation)) return traffic;
  return std::max(traffic, tile_traffic(operation, host_.last_cache));
}

HostTime HostModel::time(const workload::training::TrainingOperation& operation, double traffic) const {
  const double cycles = host_.cores * host_.clock;
  const auto simple = static_cast<double>(operation.work.multiplications + operation.work.additions);
  const bool gemm = reuses_operands(operation);
  // Outside GEMMs multiplications and additions do not pair up.
  const double rate = gemm ? host_.rate * host_.efficiency : host_.rate / 2;
  const double compute =
      simple / (cycles * rate) + static_cast<double>(operation.work.others) / (cycles * host_.other_rate);
  double cache_bytes = static_cast<double>(operation.bytes_read + operation.bytes_written);
  if (gemm) cache_bytes = std::max(cache_bytes, tile_traffic(operation, host_.near_cache));
  const double inside = std::max(compute, cache_bytes / host_.last_cache_bandwidth);
  const double memory = memory_bytes(operation, traffic) / (memory_bandwidth_ * host_.memory_efficiency);
  return {.seconds = std::max(inside, memory) + host_.dispatch, .movement = std::max(0.0, memory - inside)};
}

}  // namespace pimsweep::systems::heteropim
