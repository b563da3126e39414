#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/driver.h"
#include "results/agreement.h"
#include "results/ranking.h"
#include "sweep/plan.h"

/// What each subcommand of `pimsweep` does. All print to stdout, throw InputError for bad input and return the exit
/// status (docs/driver.md).
namespace pimsweep::commands {

/// `pimsweep check FILE`: reads everything and says how many points there are.
int check(const std::string& experiment, const sweep::PlanOptions& options);

/// What `pimsweep plan` is asked.
struct PlanQuestion {
  bool name_only = false;
  bool ids_only = false;
  /// Ranks to predict the time for; 0: those of this Slurm job, or the machine's cores.
  int ranks = 0;
  /// Where results are looked for, as for a run.
  std::string output;
  std::string cache;
};

/// `pimsweep plan FILE`: studies, points, what varies; what is new and what is there already; the time, memory and
/// disk that a run will take, and the line that submits it. Evaluates a few points, for two seconds at most.
int plan(const std::string& experiment, const sweep::PlanOptions& options, const PlanQuestion& question);

/// `pimsweep status RESULTS`: how far a run is: 0 complete, 1 complete with failures, 75 not complete. For launches
/// whose own exit status says nothing, as that of mpirun --enable-recovery.
int status(const std::string& output);

/// `pimsweep explain FILE --point N`: one point with every intermediate quantity. N counts from 0 over the whole plan,
/// or over the study if `options` names exactly one.
int explain(const std::string& experiment, const sweep::PlanOptions& options, std::uint64_t point);

/// `pimsweep list WHAT [NAME]`: systems, axes, metrics, models, their operators, hardware or policies.
int list(const std::string& what, const std::string& name, bool csv, const std::string& config_dir);

/// The things that list() knows.
std::vector<std::string> list_subjects();

/// `pimsweep fidelity RESULTS [--min METRIC]... [--group-by AXIS]...`: how far the axis `fidelity` moves every metric,
/// whether it keeps the order of the points, and whether both fidelities find the same Pareto front
/// (docs/results-format.md).
int fidelity(const std::string& results, const results::FrontQuestion& question);
/// The same as part of another command's output; false, with nothing printed, where no study varies the fidelity.
bool print_fidelities(const std::string& results, const results::FrontQuestion& question);

/// What `pimsweep training` is asked.
struct TrainingQuestion {
  /// A training step, or a model to train plainly; empty: the list of the steps.
  std::string name;
  /// 0: that of the step.
  std::int64_t batch = 0;
  /// Every operation instead of sums for each type.
  bool operations = false;
};

/// `pimsweep training [STEP]`: the operations of a training step (docs/training-graphs.md).
int training(const TrainingQuestion& question, bool csv, const std::string& config_dir);

/// `pimsweep report RESULTS... [--csv FILE]`: the published numbers beside the reproduced ones, and how fidelities
/// agree.
int report(const std::vector<std::string>& results, const std::string& csv, const std::string& published_dir);

/// `pimsweep pareto RESULTS --min METRIC... [--max METRIC]... [--group-by AXIS]... [--study ID] [--csv FILE]`: the
/// designs that no other one betters (docs/explore.md).
int pareto(const std::string& results, const results::RankingQuestion& question, const std::string& csv);

/// `pimsweep top RESULTS --min METRIC [-n N] [--group-by AXIS]... [--across]`: the best points with their axes; with
/// `across`, the best point of each study in one ranking over all studies and systems.
int top(const std::string& results, const results::RankingQuestion& question, std::size_t count, bool across,
        const std::string& csv);

/// `pimsweep sensitivity RESULTS --metric METRIC [--study ID] [--csv FILE]`: what each axis, and each pair of them,
/// does to a metric.
int sensitivity(const std::string& results, const std::string& metric, const std::string& study,
                const std::string& csv);

/// `pimsweep compare RESULTS`: deviation of each metric X from the column reference_X.
int compare(const std::string& results);

/// `pimsweep rerun RESULTS --point N [--study ID] [--all]`: evaluates a stored point again and compares the result with
/// the stored one bit for bit. `studies` names at most one; none is needed if the file has one. Returns 0 if identity
/// and result are equal, 1 if not.
int rerun(const std::string& file, const std::vector<std::string>& studies, std::uint64_t number, bool all,
          const std::string& config_dir);

}  // namespace pimsweep::commands
