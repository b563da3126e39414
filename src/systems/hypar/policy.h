#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "systems/hypar/communication.h"
#include "systems/hypar/search/assignment_problem.h"
#include "workload/training_network.h"

namespace pimsweep::systems::hypar {

/// Input of a policy.
struct PolicyInput {
  const workload::TrainingNetwork& network;
  const TensorBytes& bytes;
  int levels = 0;
  /// Costs of exchanges in the unit of the objective: bytes or seconds.
  const CostTables& tables;
  /// nodes x states: seconds of computation if the objective is time, else empty.
  const std::vector<double>& node_extra;
  /// nodes x states: infinity where a state is not allowed (selection.h), else 0. Empty: all states are allowed.
  const std::vector<double>& forbidden;
};

struct Choice {
  search::Assignment assignment;
  /// Method by which the policy found it: "rule", "best level by level", "proven optimum".
  std::string_view found_by;
  /// Number of assignments among which it is the best; 0 if it is not known to be the best.
  double search_space = 0;
};

/// Assigns a state to every node.
struct Policy {
  std::string_view name;
  std::string_view doc;
  Choice (*choose)(const PolicyInput& input);
  /// Throws those PointErrors of choose() that no costs change, from a problem without costs; null: there are none.
  void (*require)(const search::AssignmentProblem& structure) = nullptr;
};

/// All policies: those of policies.cpp, then those that were registered.
std::span<const Policy> policies();

/// Adds a policy of the program's own, whose texts must outlive it, before any system is made
/// (docs/tutorials/library.md). Throws std::logic_error if the name is taken or policies are in use already.
void register_policy(const Policy& policy);

/// Throws the PointError of hypar_assignment() from a problem without costs.
void require_hypar_assignment(const search::AssignmentProblem& structure);

/// HyPar's assignment, which also fixes the layers and levels that exhaustive search may not change.
search::Assignment hypar_assignment(const PolicyInput& input);

}  // namespace pimsweep::systems::hypar
