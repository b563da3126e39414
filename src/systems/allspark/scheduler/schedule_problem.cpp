#include "systems/allspark/scheduler/schedule_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/checked.h"
#include "systems/allspark/scheduler/size_text.h"

namespace pimsweep::systems::allspark::scheduler {
namespace {

void check_group(const StageProblem& stage, const LayerGroup& group, std::size_t index) {
  if (group.scheme < 0 || static_cast<std::size_t>(group.scheme) >= stage.schemes.size()) {
    throw std::logic_error(fmt::format("schedule of stage {}: scheme {} does not exist, the stage has {}", index + 1,
                                       group.scheme, stage.schemes.size()));
  }
  if (group.layers <= 0 || stage.schemes[static_cast<std::size_t>(group.scheme)].capacity <= 0) {
    throw std::logic_error(fmt::format("schedule of stage {}: a group of {} layers of scheme {} covers nothing",
                                       index + 1, group.layers, group.scheme));
  }
}

}  // namespace

void validate(const ScheduleProblem& problem) {
  // Sums of cycles and of tie-breaking indices stay below 2^62 and 2^31.
  constexpr double max_sum = 4.0e18;
  constexpr std::int64_t max_count = std::int64_t{1} << 30;
  double cycles = 0;
  double bytes = 0;
  for (std::size_t s = 0; s < problem.stages.size(); ++s) {
    const StageProblem& stage = problem.stages[s];
    const auto fail = [s](const std::string& what) {
      throw std::logic_error(fmt::format("schedule problem, stage {}: {}", s + 1, what));
    };
    if (stage.branches < 0) fail(fmt::format("{} branches", stage.branches));
    if (stage.branches > max_count / static_cast<std::int64_t>(stage.schemes.size() + 1)) {
      fail(fmt::format("{} branches are too many", stage.branches));
    }
    if (std::ranges::count_if(stage.schemes, &Scheme::single_node) > 1) fail("more than one 1 x 1 scheme");
    std::int64_t slowest = 0;
    for (const Scheme& scheme : stage.schemes) {
      if (scheme.capacity < 0 || scheme.cycles < 0 || scheme.weight_bytes < 0 || scheme.workspace_bytes < 0) {
        fail("a scheme has a negative capacity, cost or size");
      }
      slowest = std::max(slowest, scheme.cycles);
      bytes += static_cast<double>(scheme.weight_bytes) + static_cast<double>(scheme.workspace_bytes);
    }
    cycles += static_cast<double>(slowest) * static_cast<double>(stage.branches);
  }
  if (cycles > max_sum || bytes > max_sum) throw OverflowError("cycles or bytes of all layers exceed 64-bit counts");
}

void evaluate(const ScheduleProblem& problem, Schedule& schedule) {
  if (schedule.stages.size() != problem.stages.size()) {
    throw std::logic_error(
        fmt::format("a schedule of {} stages for a problem of {}", schedule.stages.size(), problem.stages.size()));
  }
  schedule.cycles = schedule.weight_bytes = schedule.workspace_bytes = 0;
  for (std::size_t s = 0; s < problem.stages.size(); ++s) {
    const StageProblem& stage = problem.stages[s];
    std::int64_t covered = 0;
    std::int64_t single_weight = -1;
    std::int64_t distinct_weight = 0;
    std::set<std::int32_t> seen;
    for (const LayerGroup& group : schedule.stages[s]) {
      check_group(stage, group, s);
      const Scheme& scheme = stage.schemes[static_cast<std::size_t>(group.scheme)];
      covered += group.layers * scheme.capacity;
      schedule.cycles += group.layers * scheme.cycles;
      schedule.workspace_bytes = std::max(schedule.workspace_bytes, scheme.workspace_bytes);
      if (scheme.single_node()) single_weight = scheme.weight_bytes;
      if (seen.insert(group.scheme).second) distinct_weight += scheme.weight_bytes;
    }
    if (covered < stage.branches) {
      throw std::logic_error(
          fmt::format("schedule of stage {}: {} of {} branches are covered", s + 1, covered, stage.branches));
    }
    schedule.weight_bytes += single_weight >= 0 ? single_weight : distinct_weight;
  }
  const std::int64_t memory = schedule.weight_bytes + schedule.workspace_bytes;
  schedule.feasible = memory <= problem.memory_bytes;
  schedule.reason = schedule.feasible ? std::string()
                                      : fmt::format(
                                            "the schedule needs {} of memory on a node ({} of weights, {} of "
                                            "workspace), a node has {}",
                                            size_text(memory), size_text(schedule.weight_bytes),
                                            size_text(schedule.workspace_bytes), size_text(problem.memory_bytes));
}

std::string infeasibility(const ScheduleProblem& problem) {
  std::set<std::int64_t> bounds{0};
  for (std::size_t s = 0; s < problem.stages.size(); ++s) {
    const StageProblem& stage = problem.stages[s];
    if (stage.branches == 0) continue;
    bool usable = false;
    for (const Scheme& scheme : stage.schemes) {
      if (scheme.capacity == 0) continue;
      usable = true;
      bounds.insert(scheme.workspace_bytes);
    }
    if (!usable) {
      return fmt::format("stage {}: none of its {} schemes fits on the node array", s + 1, stage.schemes.size());
    }
  }
  std::int64_t smallest = -1;
  for (const std::int64_t bound : bounds) {
    std::int64_t memory = bound;
    bool covered = true;
    for (const StageProblem& stage : problem.stages) {
      if (stage.branches == 0) continue;
      std::int64_t weight = -1;
      for (const Scheme& scheme : stage.schemes) {
        if (scheme.capacity == 0 || scheme.workspace_bytes > bound) continue;
        if (weight < 0 || scheme.weight_bytes < weight) weight = scheme.weight_bytes;
      }
      covered = covered && weight >= 0;
      memory += weight;
    }
    if (covered && (smallest < 0 || memory < smallest)) smallest = memory;
  }
  if (smallest <= problem.memory_bytes) return {};
  return fmt::format("the minimum memory of any schedule on a node is {}, a node has {}", size_text(smallest),
                     size_text(problem.memory_bytes));
}

}  // namespace pimsweep::systems::allspark::scheduler
