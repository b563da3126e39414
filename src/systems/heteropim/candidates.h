#pragma once

#include <cstdint>
#include <vector>

#include "systems/heteropim/step_costs.h"
#include "workload/training/training_graph.h"

namespace pimsweep::systems::heteropim {

/// Profile of one type of operation, run one by one on the host, and the choice of candidates for PIM.
struct TypeProfile {
  workload::training::OperationType type = workload::training::OperationType::Const;
  std::int64_t invocations = 0;
  double seconds = 0;
  /// The part of `seconds` in operations that need more than multiplications and additions.
  double program_seconds = 0;
  double memory_bytes = 0;
  /// Ranks by time and by memory accesses, from 1; equal types in the order of the enumeration.
  std::int64_t time_index = 0;
  std::int64_t memory_index = 0;
  bool candidate = false;

  std::int64_t global_index() const { return time_index + memory_index; }
};

/// Step 1 of Hetero-PIM's runtime (Sec. III-C): types become candidates in the order of the sum of both ranks (of equal
/// sums the longer type first) until they make up `share` of the step's time. The profiles come in that order.
std::vector<TypeProfile> choose_candidates(const workload::training::TrainingGraph& graph, const StepCosts& costs,
                                           double share);

/// For each operation, 1 if it is a candidate, otherwise 0: Stream::candidate of the runtime.
std::vector<std::uint8_t> candidate_flags(const workload::training::TrainingGraph& graph,
                                          const std::vector<TypeProfile>& profile);

}  // namespace pimsweep::systems::heteropim
