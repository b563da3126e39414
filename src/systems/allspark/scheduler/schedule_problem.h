#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pimsweep::systems::allspark::scheduler {

/// One way to partition a branch: over head_split x patch_split nodes. (The paper's u and v change roles between
/// Sections V and VI-A, hence names.)
struct Scheme {
  std::int64_t head_split = 1;
  std::int64_t patch_split = 1;
  /// Branches that one temporal layer holds (N_{alpha,beta}, Algorithm 1).
  std::int64_t capacity = 0;
  /// Cycles that one temporal layer of this scheme adds to the whole inference: all blocks of the stage, patch merging
  /// included; it does not depend on how many branches the layer holds (Eq. 12).
  std::int64_t cycles = 0;
  /// Bytes of weights stored on a node for all blocks of the stage if the scheme is used (Eq. 11).
  std::int64_t weight_bytes = 0;
  /// Bytes of workspace on a node while such a layer runs (V^dyn of Eq. 5).
  std::int64_t workspace_bytes = 0;

  std::int64_t nodes() const { return head_split * patch_split; }
  bool single_node() const { return nodes() == 1; }
};

/// One stage: its branches have to be covered by temporal layers, each layer holding up to its scheme's capacity.
struct StageProblem {
  std::int64_t branches = 0;
  std::vector<Scheme> schemes;
};

/// Minimize the sum of the layers' cycles over all stages so that
///   sum over stages of stored weights + largest workspace of any scheme used <= memory_bytes          (Eq. 5),
/// where a stage stores the weights of the 1 x 1 scheme alone if it uses that scheme (weight reuse, case 1; Eq. 6),
/// else the sum over the distinct schemes used (case 2; Eq. 7).
struct ScheduleProblem {
  std::vector<StageProblem> stages;
  std::int64_t memory_bytes = 0;
};

/// `layers` temporal layers of scheme `scheme` (an index into the stage's schemes).
struct LayerGroup {
  std::int32_t scheme = 0;
  std::int64_t layers = 0;
  friend bool operator==(const LayerGroup&, const LayerGroup&) = default;
};

struct Schedule {
  bool feasible = false;
  /// For each stage the groups in order of decreasing capacity.
  std::vector<std::vector<LayerGroup>> stages;
  std::int64_t cycles = 0;
  std::int64_t weight_bytes = 0;
  std::int64_t workspace_bytes = 0;
  /// Reason for a missing schedule.
  std::string reason;
};

/// Throws std::logic_error if the problem has no meaning: a negative number, more than one 1 x 1 scheme in a stage, or
/// numbers so large that sums would overflow. The solvers call it first.
void validate(const ScheduleProblem& problem);

/// Recomputes cycles, weights and workspace of a schedule from the problem, and checks coverage; the one place that
/// defines what a schedule costs. Sets `feasible` to whether the memory suffices, with the reason if it does not.
/// Throws std::logic_error if a stage is not covered or a group is malformed.
void evaluate(const ScheduleProblem& problem, Schedule& schedule);

/// Why no schedule exists: the minimum memory of any schedule against that of a node, or the stage that no scheme fits.
/// Empty if there is a schedule.
std::string infeasibility(const ScheduleProblem& problem);

/// The proven optimum (Pareto fronts over memory and time for each stage and workspace bound, then combined). Ties go
/// to less memory (weights + workspace), then fewer layers, then the earlier schemes (the smaller sum of the layers'
/// scheme indices); the same problem always gives the same schedule.
Schedule solve_exact(const ScheduleProblem& problem);

/// The compact mixed-integer program (integer layer counts, binary uses), solved by CBC.
Schedule solve_compact_milp(const ScheduleProblem& problem);

/// CBC's answer to the paper's own program.
struct IlpResult {
  Schedule schedule;
  /// True when CBC proved optimality or infeasibility within the limit.
  bool closed = false;
  std::int64_t binaries = 0;
  std::int64_t constraints = 0;
};

/// The paper's binary program (1)-(15) with X, Y and Z, solved by CBC within `seconds`.
IlpResult solve_paper_ilp(const ScheduleProblem& problem, double seconds);

}  // namespace pimsweep::systems::allspark::scheduler
