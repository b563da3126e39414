#pragma once

#include <random>
#include <string>
#include <vector>

#include "systems/allspark/scheduler/schedule_problem.h"

namespace pimsweep::systems::allspark {

/// One stage of a model as the scheduler's tests see it.
struct StageShape {
  std::int64_t channels = 0;
  std::int64_t heads = 0;
  std::int64_t blocks = 0;
  /// Patches of a branch and branches of a block.
  std::int64_t patches = 0;
  std::int64_t branches = 0;
};

/// A plausible schedule problem: the scheme sets, capacities and weights of the paper (Secs. VI-A, VI-C, VII-B) and a
/// rough machine for cycles and workspace, good for judging solvers and for nothing else.
scheduler::ScheduleProblem plausible_problem(const std::vector<StageShape>& stages, std::int64_t nodes_per_side,
                                             std::int64_t memory_bytes);

struct NamedShape {
  std::string name;
  std::int64_t nodes_per_side = 16;
  std::vector<StageShape> stages;
};

/// The eight model families in all their sizes for a square image.
std::vector<NamedShape> model_shapes(std::int64_t image_px);

/// Node memories in bytes: the least at which the model has a schedule, and 1.05, 2 and 5 times that.
std::vector<std::int64_t> memories_worth_trying(const NamedShape& model);

/// A problem so small that all its schedules can be listed, with small numbers so that ties are common. It may have no
/// schedule, schemes that hold nothing, and stages without branches.
scheduler::ScheduleProblem tiny_problem(std::mt19937_64& random);

/// A problem of up to four stages with up to some hundred branches, unlike any machine.
scheduler::ScheduleProblem random_problem(std::mt19937_64& random);

/// Least memory at which the problem has a schedule, in bytes.
std::int64_t min_memory(scheduler::ScheduleProblem problem);

}  // namespace pimsweep::systems::allspark
