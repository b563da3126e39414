#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "systems/hypar/communication.h"
#include "systems/hypar/search/assignment_problem.h"
#include "workload/training_network.h"

namespace pimsweep::systems::hypar {

/// What a policy chooses from.
struct PolicyInput {
  const workload::TrainingNetwork& network;
  const TensorBytes& bytes;
  int levels = 0;
  /// Of the objective: bytes, or seconds.
  const CostTables& tables;
  /// What the objective adds for each node and state: seconds of computation, or nothing.
  const std::vector<double>& node_extra;
  /// Which states each node may take beside HyPar's (see free_states.h): nodes x states, 0 or infinity. Empty: all.
  const std::vector<double>& forbidden;
};

struct Choice {
  search::Assignment assignment;
  /// How it was found: "closed rule", "greedy over levels", "proven optimum over 2^44 assignments", ...
  std::string found_by;
  /// Assignments among which it is the best; 0 if it is not known to be.
  double search_space = 0;
};

/// Assigns a state to every node.
struct Policy {
  std::string_view name;
  std::string_view doc;
  Choice (*choose)(const PolicyInput& input);
};

/// All policies, registered in CMakeLists.txt.
const std::vector<Policy>& policies();

/// The named policy; the schema admits no other name.
const Policy& policy_named(std::string_view name);

/// HyPar's assignment: what exhaustive search and overrides start from.
search::Assignment hypar_assignment(const PolicyInput& input);

}  // namespace pimsweep::systems::hypar
