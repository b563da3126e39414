#include <algorithm>
#include <functional>
#include <tuple>

#include "base/downward.h"
#include "systems/allspark/scheduler/scheme_counts.h"
#include "systems/allspark/scheduler/stage_front.h"

namespace pimsweep::systems::allspark::scheduler {
namespace {

/// A choice of one point for each of the first stages.
struct Partial {
  std::int64_t weight = 0;
  Cost cost;
  std::int32_t before = -1;
  FrontPoint point;
};

/// Joins the fronts of the stages under one workspace bound after another and keeps the best schedule.
class Combination {
 public:
  Combination(const ScheduleProblem& problem, const std::vector<StageFront>& fronts)
      : problem_(problem), fronts_(fronts) {}

  /// The best schedule under this bound, if it beats the best so far.
  void try_workspace(std::int64_t workspace);
  bool found() const { return found_; }
  std::int64_t cycles() const { return found_ ? cost_.cycles : infinite; }
  Schedule schedule() const;

 private:
  const ScheduleProblem& problem_;
  const std::vector<StageFront>& fronts_;
  std::vector<Partial> pool_;
  std::vector<FrontPoint> front_;
  std::vector<FrontPoint> merged_;
  bool found_ = false;
  Cost cost_;
  std::int64_t memory_ = 0;
  std::vector<FrontPoint> best_;
};

void Combination::try_workspace(std::int64_t workspace) {
  const std::int64_t budget = problem_.memory_bytes - workspace;
  std::int64_t rest_cycles = 0;
  std::int64_t rest_weight = 0;
  for (const StageFront& front : fronts_) {
    rest_cycles += front.min_cycles(workspace);
    rest_weight += front.min_weight(workspace);
  }
  pool_.clear();
  pool_.push_back({});
  std::size_t begin = 0;
  for (const StageFront& stage : fronts_) {
    rest_cycles -= stage.min_cycles(workspace);
    rest_weight -= stage.min_weight(workspace);
    stage.front_within(workspace, front_);
    const std::size_t end = pool_.size();
    merged_.clear();
    for (std::size_t i = begin; i < end; ++i) {
      for (const FrontPoint& point : front_) {
        const std::int64_t weight = pool_[i].weight + point.weight;
        if (weight + rest_weight > budget) break;
        const Cost cost = pool_[i].cost + point.cost;
        if (cost.cycles + rest_cycles > cycles()) continue;
        const auto origin = static_cast<std::int32_t>(pool_.size());
        if (!insert_point(merged_, {weight, 0, cost, origin})) continue;
        pool_.push_back({weight, cost, static_cast<std::int32_t>(i), point});
      }
    }
    // The joined front, in one piece at the end of the pool.
    begin = pool_.size();
    for (const FrontPoint& point : merged_) {
      const Partial partial = pool_[static_cast<std::size_t>(point.origin)];
      pool_.push_back(partial);
    }
    if (begin == pool_.size()) return;
  }
  const Partial& fastest = pool_.back();
  const std::int64_t memory = fastest.weight + workspace;
  if (found_ &&
      std::tuple(cost_.cycles, memory_, cost_.tie) <= std::tuple(fastest.cost.cycles, memory, fastest.cost.tie)) {
    return;
  }
  found_ = true;
  cost_ = fastest.cost;
  memory_ = memory;
  best_.assign(fronts_.size(), {});
  const Partial* partial = &fastest;
  for (const std::size_t s : downward(fronts_.size())) {
    best_[s] = partial->point;
    partial = &pool_[static_cast<std::size_t>(partial->before)];
  }
}

Schedule Combination::schedule() const {
  Schedule schedule;
  for (std::size_t s = 0; s < fronts_.size(); ++s) {
    schedule.stages.push_back(groups_of(problem_.stages[s], fronts_[s].layers(best_[s])));
  }
  evaluate(problem_, schedule);
  return schedule;
}

/// Sum over the stages of a bound under a workspace; infinite if some stage has no scheme within it.
std::int64_t sum(const std::vector<StageFront>& fronts, std::int64_t (StageFront::*bound)(std::int64_t) const,
                 std::int64_t workspace) {
  std::int64_t total = 0;
  for (const StageFront& front : fronts) {
    const std::int64_t value = (front.*bound)(workspace);
    if (value == infinite) return infinite;
    total += value;
  }
  return total;
}

/// The workspaces that a schedule may have as its largest, rising: those of the schemes, if the memory then suffices
/// for the lightest weights.
std::vector<std::int64_t> workspace_bounds(const std::vector<StageFront>& fronts, std::int64_t memory) {
  std::vector<std::int64_t> bounds{0};
  for (const StageFront& front : fronts) {
    bounds.insert(bounds.end(), front.workspaces().begin(), front.workspaces().end());
  }
  std::ranges::sort(bounds);
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  std::erase_if(bounds, [&](std::int64_t workspace) {
    const std::int64_t weight = sum(fronts, &StageFront::min_weight, workspace);
    return weight == infinite || weight > memory - workspace;
  });
  return bounds;
}

/// Joins the fronts as they are, from the widest workspace down until not even the fastest schemes can win.
void join_all(const std::vector<StageFront>& fronts, const std::vector<std::int64_t>& bounds,
              Combination& combination) {
  for (auto bound = bounds.rbegin(); bound != bounds.rend(); ++bound) {
    if (sum(fronts, &StageFront::min_cycles, *bound) > combination.cycles()) break;
    combination.try_workspace(*bound);
  }
}

/// Builds the fronts within what an optimal schedule may spend on each stage: `max_cycles` and the memory, minus the
/// minimum of the other stages. The heaviest stage comes first, as its front limits the others most.
void build_fronts(std::vector<StageFront>& fronts, const std::vector<std::int64_t>& bounds, std::int64_t memory,
                  std::int64_t max_cycles) {
  const std::int64_t widest = bounds.back();
  std::vector<StageFront*> order;
  order.reserve(fronts.size());
  for (StageFront& front : fronts) order.push_back(&front);
  std::ranges::stable_sort(order, std::greater<>(), [widest](const StageFront* f) { return f->min_weight(widest); });
  std::int64_t cycles = sum(fronts, &StageFront::min_cycles, widest);
  std::int64_t weight = sum(fronts, &StageFront::min_weight, widest);
  for (StageFront* front : order) {
    cycles -= front->min_cycles(widest);
    weight -= front->min_weight(widest);
    front->build({.memory = memory - weight, .cycles = max_cycles - cycles, .workspace = bounds.front()});
    cycles += front->fastest_point();
    weight += front->lightest_point();
  }
}

}  // namespace

Schedule solve_exact(const ScheduleProblem& problem) {
  validate(problem);
  Schedule none;
  none.reason = infeasibility(problem);
  if (!none.reason.empty()) return none;

  std::vector<StageFront> fronts(problem.stages.begin(), problem.stages.end());
  std::vector<std::int64_t> bounds = workspace_bounds(fronts, problem.memory_bytes);
  for (StageFront& front : fronts) front.sketch();
  Combination sketch(problem, fronts);
  join_all(fronts, bounds, sketch);

  std::erase_if(bounds, [&](std::int64_t workspace) {
    return sum(fronts, &StageFront::min_cycles, workspace) > sketch.cycles();
  });
  build_fronts(fronts, bounds, problem.memory_bytes, sketch.cycles());
  Combination best(problem, fronts);
  join_all(fronts, bounds, best);
  return best.schedule();
}

}  // namespace pimsweep::systems::allspark::scheduler
