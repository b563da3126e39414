#pragma once

#include <cstddef>
#include <vector>

#include "systems/llm/schedule/relaxation.h"

namespace pimsweep::systems::llm::schedule {

/// Assignment of a sub-batch, with the sums that bounds use.
struct Candidate {
  Assignment ways;
  /// Where the first way needs the data, and where the last leaves them.
  Side needs = Side::gpu;
  Side leaves = Side::gpu;
  bool has_first_move = false;
  /// The intervals that its job repeats, after a first move if `has_first_move`, and their weighted sums (Relaxation).
  Job block = {};
  Relaxation::Loads loads = {};
};

/// An assignment and the sums of a block.
struct Listed {
  Assignment ways;
  Relaxation::Loads loads;
};

/// Numbers of rows, both ends included.
struct RowRange {
  std::size_t least = 0;
  std::size_t most = 0;
};

/// The intervals that the job of an assignment repeats, but for a first move where it needs and leaves the data on PIM.
/// Each takes the least time of all numbers of rows in the range; those that then take none are left out.
void list_block(const StepProblem& problem, const Assignment& ways, RowRange rows, Job& block);

/// True if the intervals of `better` can replace those of `worse`, in order and each within a single one of them: then
/// no makespan with `worse` is below that with `better`.
bool dominates(std::span<const Interval> better, std::span<const Interval> worse);

/// Lists assignments of sub-batches of one problem.
class AssignmentLister {
 public:
  AssignmentLister(const StepProblem& problem, const Relaxation& relaxation)
      : problem_(problem), relaxation_(relaxation) {}

  /// Assignments with the minimum weighted sum for at least one of the weights.
  std::vector<Candidate> least(std::size_t rows);
  /// All with which the bound beside a sub-batch with block sums `beside` is below `cutoff`. If there are more than
  /// `max_count`, stops and says so.
  std::vector<Listed> below(std::size_t rows, std::span<const double> beside, double cutoff, std::size_t max_count);
  bool stopped() const { return stopped_; }

  /// The candidates of some assignments, but dominated ones.
  std::vector<Candidate> undominated(std::span<const Listed> listed, std::size_t rows);

 private:
  void descend(std::size_t op, Side side, std::size_t depth);
  Candidate candidate(const Assignment& ways, std::size_t rows) const;
  void keep(Candidate candidate);

  const StepProblem& problem_;
  const Relaxation& relaxation_;
  Relaxation::Rest rest_;
  std::span<const double> beside_;
  double cutoff_ = infinite;
  std::size_t max_count_ = 0;
  bool stopped_ = false;
  Assignment current_;
  /// Sums of the ways so far by their number, and of a whole block.
  std::vector<std::vector<double>> sums_;
  std::vector<double> whole_;
  std::vector<Listed> listed_;
  std::vector<Candidate> found_;
};

}  // namespace pimsweep::systems::llm::schedule
