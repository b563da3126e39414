#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "systems/llm/step/batch.h"
#include "systems/llm/step/optimum.h"
#include "systems/llm/step/policies.h"
#include "systems/llm/step/sub_batches.h"

namespace pimsweep::systems::llm::step {

/// Bytes beside each GPU for KV caches.
struct CacheRoom {
  /// Room in the memory of the GPU, and in that of its PIM.
  double gpu = 0;
  double pim = 0;
};

/// A step to plan: sequences that run together on a machine.
struct StepTask {
  const StepContext& context;
  std::span<const workload::decoder::Sequences> sequences;
  CacheRoom room;
  /// KV cache of all sequences beside each GPU, and of one.
  double cache_bytes = 0;
  double sequence_bytes = 0;
  /// Where channels hold whole sequences and these stay in theirs; else the machine assigns them.
  std::optional<ChannelTimes> channels = {};
};

/// A planned step: what runs where, and when.
struct StepPlan {
  /// Why the machine cannot run the step so; empty if it can. Then there are no runs.
  std::string misfit;
  /// Operators with their times; means over the blocks where these are not alike.
  std::vector<OperatorRun> runs;
  PipedOperators piped;
  /// Batches that share GPUs and PIM: 1, or 2 whose blocks are interleaved.
  int batches = 1;
  /// True if operators have start times: false for an optimum of two sub-batches, whose blocks differ.
  bool has_timeline = true;
  /// Bytes of weights in the memory that PIM of each GPU has of its own.
  double pim_weights = 0;
  /// Sequences for which these weights leave room, if that is too few.
  std::optional<double> max_sequences;
  /// Seconds that no schedule of the operators is below, if the policy proves any.
  std::optional<double> lower_bound;
};

/// Memory that plans of one step after another use again.
struct PlanBuffers {
  Batch whole;
  SubBatches halves;
  SubBatches best_halves;
  SubBatches bound_halves;
  OptimumFinder optimum;
  /// For the policies that the optimum tries.
  std::unique_ptr<PlanBuffers> trial;
};

/// Sums over a step, on one of the GPUs that share each operator.
struct StepTotals {
  double seconds = 0;
  double lower_bound = 0;
  /// Seconds of the slowest stage of the pipeline.
  double stage_seconds = 0;
  double gpu_seconds = 0;
  double pim_seconds = 0;
  double operations = 0;
  double gpu_bytes = 0;
  double pim_bytes = 0;
  double link_bytes = 0;
  double energy = 0;

  void add(const StepTotals& other, double times);
};

/// Plans steps and sums them up: all that a system needs to know of one step of a language model. Keeps its memory, so
/// that a step costs a few microseconds.
///
///     StepPlanner planner;
///     const StepPlan& plan = planner.plan(policy, {.context = context, .sequences = sequences, ...});
///     if (plan.misfit.empty()) time += planner.totals(context).seconds;
///
/// The plan holds until the next call. Contexts and policies are those of the caller.
class StepPlanner {
 public:
  const StepPlan& plan(const Policy& policy, const StepTask& task);
  /// The last plan.
  const StepPlan& last() const { return plan_; }
  /// Totals of the last plan, including the time of the host and transfers between the stages of a pipeline.
  StepTotals totals(const StepContext& context) const;

 private:
  PlanBuffers buffers_;
  StepPlan plan_;
};

/// A policy as the optimum tries it: the plan of a point with this policy.
struct PolicyTrial {
  const Policy* policy = nullptr;
  StepPlan plan;
};

/// Plans of all policies but llm-optimal that memory has room for.
std::vector<PolicyTrial> try_policies(const StepTask& task, PlanBuffers& buffers);

/// Lists the non-block layers of the whole batch, and the blocks of two batches after them.
void list_runs(const Batch& whole, const SubBatches& halves, std::vector<OperatorRun>& runs);

}  // namespace pimsweep::systems::llm::step
