#pragma once

#include <cstdint>
#include <vector>

#include "systems/heteropim/step_costs.h"
#include "workload/training/training_graph.h"

namespace pimsweep::systems::heteropim {

/// The profile of one type of operation, run one by one on the host, and what follows from it.
struct TypeProfile {
  workload::training::OperationType type = workload::training::OperationType::Const;
  std::int64_t invocations = 0;
  double seconds = 0;
  /// Of these: in operations that are not multiplications and additions alone.
  double program_seconds = 0;
  double memory_bytes = 0;
  /// Places in the lists by time and by memory accesses, from 1; equal ones in the order of the types.
  std::int64_t time_index = 0;
  std::int64_t memory_index = 0;
  bool candidate = false;

  std::int64_t global_index() const { return time_index + memory_index; }
};

/// Step 1 of Hetero-PIM's runtime (Sec. III-C): types are taken in the order of the sum of their two indices (of equal
/// ones the longer first) until they make up `share` of the step's time. In that order.
std::vector<TypeProfile> choose_candidates(const workload::training::TrainingGraph& graph, const StepCosts& costs,
                                           double share);

/// One for each operation, as the runtime wants it.
std::vector<std::uint8_t> candidate_flags(const workload::training::TrainingGraph& graph,
                                          const std::vector<TypeProfile>& profile);

}  // namespace pimsweep::systems::heteropim
