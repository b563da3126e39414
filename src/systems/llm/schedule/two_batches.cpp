#include "systems/llm/schedule/two_batches.h"

#include <algorithm>
#include <optional>

#include "systems/llm/schedule/assignments.h"
#include "systems/llm/schedule/quantum.h"
#include "systems/llm/schedule/relaxation.h"
#include "systems/llm/schedule/size_ranges.h"
#include "systems/llm/schedule/two_jobs.h"

namespace pimsweep::systems::llm::schedule {

namespace {

/// Share of the time by which a faster schedule may be missed, so that rounding does not keep equal ones in the search.
constexpr double slack = 1e-9;

/// Candidates of a sub-batch; their jobs are made when they are needed.
class Jobs {
 public:
  Jobs(const StepProblem& problem, std::size_t rows, std::vector<Candidate> candidates, double quantum)
      : problem_(problem), rows_(rows), candidates_(std::move(candidates)), made_(candidates_.size()) {
    for (Candidate& candidate : candidates_) {
      for (Interval& interval : candidate.block) interval.seconds = on_grid(interval.seconds, quantum);
    }
  }

  std::size_t size() const { return candidates_.size(); }
  std::size_t rows() const { return rows_; }
  const Candidate& candidate(std::size_t c) const { return candidates_[c]; }
  const Job& job(std::size_t c) const { return made_[c]->job; }

  /// Sums of the job with its times as multiples of the quantum.
  const JobSums& sums(std::size_t c, std::span<const Resources> cliques, double quantum) {
    std::optional<Made>& made = made_[c];
    if (!made) {
      made.emplace();
      made->job = make_job(problem_, candidates_[c].ways, rows_);
      for (Interval& interval : made->job) interval.seconds = on_grid(interval.seconds, quantum);
      made->sums = JobSums(made->job, cliques);
      made->sums.first = candidates_[c].has_first_move ? 1 : 0;
      made->sums.period = candidates_[c].block.size();
      made->sums.last = made->sums.first + problem_.blocks * made->sums.period;
    }
    return made->sums;
  }

 private:
  struct Made {
    Job job;
    JobSums sums;
  };

  const StepProblem& problem_;
  std::size_t rows_;
  std::vector<Candidate> candidates_;
  std::vector<std::optional<Made>> made_;
};

class TwoBatchSearch {
 public:
  TwoBatchSearch(const StepProblem& problem, const TwoBatchLimits& limits)
      : problem_(problem),
        limits_(limits),
        relaxation_(problem),
        lister_(problem, relaxation_),
        solver_(problem.conflicts),
        corners_left_(limits.max_corners) {}

  TwoBatchSchedule run() {
    order_sizes();
    if (sizes_.empty()) return best_;
    best_.lower_bound = sizes_.front().bound;
    if (best_.lower_bound >= target()) return best_;
    set_quantum();
    ranges_.emplace(problem_, quantum_, limits_.has_ranges);
    // Good schedules to begin with: sizes with the least bound, and halves.
    try_least(sizes_.front().rows);
    try_least(problem_.rows / 2);
    for (const Size& size : sizes_) {
      if (size.bound >= target() || !best_.proven) break;
      try_all(size.rows);
    }
    return best_;
  }

 private:
  struct Size {
    /// Rows of the smaller sub-batch.
    std::size_t rows = 0;
    double bound = 0;
  };
  struct Pair {
    double bound = 0;
    std::size_t first = 0;
    std::size_t second = 0;
  };

  double target() const { return std::min(limits_.cutoff, best_.seconds) * (1 - slack); }

  void order_sizes() {
    block_sums_.resize(problem_.rows);
    for (std::size_t rows = 1; rows < problem_.rows; ++rows) block_sums_[rows] = relaxation_.min_block(rows);
    for (std::size_t rows = 1; 2 * rows <= problem_.rows; ++rows) {
      const double bound = relaxation_.bound(block_sums_[rows], block_sums_[problem_.rows - rows]);
      if (bound < infinite) sizes_.push_back({rows, bound});
    }
    std::ranges::stable_sort(sizes_, {}, &Size::bound);
  }

  /// The length of both jobs at the best size is about that of all that will be compared.
  void set_quantum() {
    const std::size_t rows = sizes_.front().rows;
    quantum_ = quantum_of(static_cast<double>(problem_.blocks) *
                          (block_sums_[rows].back() + block_sums_[problem_.rows - rows].back()));
  }

  void try_least(std::size_t rows) {
    if (relaxation_.bound(block_sums_[rows], block_sums_[problem_.rows - rows]) >= target()) return;
    Jobs first(problem_, rows, lister_.least(rows), quantum_);
    Jobs second(problem_, problem_.rows - rows, lister_.least(problem_.rows - rows), quantum_);
    try_pairs(first, second);
  }

  void try_all(std::size_t rows) {
    const std::size_t others = problem_.rows - rows;
    std::vector<Listed> first = list(rows, block_sums_[others]);
    if (rows == others) {
      drop_lone(first, first);
      std::vector<Candidate> candidates = lister_.undominated(first, rows);
      Jobs second(problem_, others, candidates, quantum_);
      Jobs same(problem_, rows, std::move(candidates), quantum_);
      try_pairs(same, second);
      return;
    }
    std::vector<Listed> second = list(others, block_sums_[rows]);
    drop_lone(first, second);
    drop_lone(second, first);
    Jobs first_jobs(problem_, rows, lister_.undominated(first, rows), quantum_);
    Jobs second_jobs(problem_, others, lister_.undominated(second, others), quantum_);
    try_pairs(first_jobs, second_jobs);
  }

  std::vector<Listed> list(std::size_t rows, std::span<const double> beside) {
    std::vector<Listed> found = lister_.below(rows, beside, target(), limits_.max_assignments);
    best_.proven = best_.proven && !lister_.stopped();
    return found;
  }

  /// Drops assignments whose bound beside each of `others` is not below the best.
  void drop_lone(std::vector<Listed>& listed, const std::vector<Listed>& others) const {
    std::vector<bool> is_lone(listed.size());
    for (std::size_t i = 0; i < listed.size(); ++i) {
      is_lone[i] = std::ranges::none_of(
          others, [&](const Listed& other) { return relaxation_.bound(listed[i].loads, other.loads) < target(); });
    }
    std::size_t i = 0;
    std::erase_if(listed, [&](const Listed&) { return is_lone[i++]; });
  }

  void try_pairs(Jobs& first, Jobs& second) {
    std::vector<Pair> pairs;
    // Halves have the same candidates, and it does not matter which of them is the first.
    const bool is_even = first.rows() == second.rows();
    for (std::size_t i = 0; i < first.size(); ++i) {
      for (std::size_t j = is_even ? i : 0; j < second.size(); ++j) {
        const double bound = relaxation_.bound(first.candidate(i).loads, second.candidate(j).loads);
        if (bound < target()) pairs.push_back({bound, i, j});
      }
    }
    std::ranges::stable_sort(pairs, {}, &Pair::bound);
    for (const Pair& pair : pairs) {
      if (pair.bound >= target() || !best_.proven) return;
      try_pair(first, pair.first, second, pair.second);
    }
  }

  void try_pair(Jobs& first, std::size_t i, Jobs& second, std::size_t j) {
    const Candidate& a = first.candidate(i);
    const Candidate& b = second.candidate(j);
    const bool repeat = !a.block.empty() && !b.block.empty();
    if (repeat) {
      // Without a first and a last move, a job is shorter.
      if (ranges_->exclude(a.ways, b.ways, first.rows(), target())) return;
      ranges_->bound().add_tilted();
    }
    const std::optional<double> seconds =
        solver_.solve(first.sums(i, solver_.cliques(), quantum_), second.sums(j, solver_.cliques(), quantum_), target(),
                      repeat ? &ranges_->bound() : nullptr);
    best_.proven = solver_.visited() <= corners_left_;
    corners_left_ -= std::min(corners_left_, solver_.visited());
    if (!seconds) return;
    best_.seconds = *seconds;
    best_.rows = {first.rows(), second.rows()};
    best_.assignments = {a.ways, b.ways};
    best_.jobs = {first.job(i), second.job(j)};
    best_.starts = solver_.starts();
  }

  const StepProblem& problem_;
  const TwoBatchLimits& limits_;
  Relaxation relaxation_;
  AssignmentLister lister_;
  TwoJobSolver solver_;
  std::optional<SizeRanges> ranges_;
  std::size_t corners_left_;
  double quantum_ = 0;
  /// Least sums of a block by rows, and sizes by their bounds.
  std::vector<std::vector<double>> block_sums_;
  std::vector<Size> sizes_;
  TwoBatchSchedule best_;
};

}  // namespace

TwoBatchSchedule solve_two_batches(const StepProblem& problem, const TwoBatchLimits& limits) {
  validate(problem);
  return TwoBatchSearch(problem, limits).run();
}

}  // namespace pimsweep::systems::llm::schedule
