#include <algorithm>
#include <iterator>
#include <utility>

#include "systems/llm/step/step_plan.h"

namespace pimsweep::systems::llm::step {

namespace {

/// Sets the parts of the time of blocks, so that they add up to `seconds`.
void scale_blocks(SubBatches& halves, double seconds) {
  double sum = 0;
  for (const SubBatches::Part& part : halves.parts) sum += block_seconds(part.batch.runs);
  for (SubBatches::Part& part : halves.parts) {
    for (OperatorRun& run : part.batch.runs) run.seconds *= seconds / sum;
  }
}

/// Finds the fastest plan of a step: the best of one batch, of two, and of the policies that do what neither covers.
class OptimumPlan {
 public:
  OptimumPlan(const StepTask& task, PlanBuffers& buffers, StepPlan& plan)
      : task_(task), context_(task.context), pim_(context_.machine->pim), buffers_(buffers), plan_(plan) {}

  void make();

 private:
  /// Seconds of a step with one batch, at best.
  StepInRoom run_one_batch();
  void allow_sides();
  PimRoom pim_room() const;
  /// Two batches, if they take less than `best` seconds of blocks; nullptr if not. Lowers `bound` accordingly.
  const SubBatches* run_two_batches(const StepInRoom& one, double best, double& bound);
  bool take_better_policy(double& seconds);

  const StepTask& task_;
  const StepContext& context_;
  const Pim& pim_;
  PlanBuffers& buffers_;
  StepPlan& plan_;
  AllowedSides allowed_;
  std::vector<PolicyTrial> trials_;
};

/// A GPU cannot read KV caches in the memory of PIM, nor PIM weights outside of its own.
void OptimumPlan::allow_sides() {
  if (!pim_.is_beside_gpus()) {
    allowed_.attention_on_pim = false;
    allowed_.gemms_on_pim = false;
    return;
  }
  if (pim_.has_own_memory) {
    allowed_.attention_on_gpu = task_.cache_bytes <= task_.room.gpu;
    allowed_.attention_on_pim = task_.cache_bytes <= task_.room.pim;
  }
  if (!pim_.holds_weights()) return;
  double weights = 0;
  for (const Choice& choice : buffers_.whole.choices) {
    if (is_possible(choice.pim)) weights += choice.op->times * choice.op->weight_bytes;
  }
  const double room =
      static_cast<double>(pim_.count) * pim_.memory - (allowed_.attention_on_pim ? task_.cache_bytes : 0);
  allowed_.gemms_on_pim = weights / static_cast<double>(context_.stages) <= room;
}

PimRoom OptimumPlan::pim_room() const {
  const auto stages = static_cast<double>(context_.stages);
  return {.bytes = stages * static_cast<double>(pim_.count) * pim_.memory, .caches = stages * task_.cache_bytes};
}

/// Takes the best other plan of one batch, if it is faster than `seconds`: it may have shares of columns that no way
/// has.
bool OptimumPlan::take_better_policy(double& seconds) {
  bool is_better = false;
  for (const PolicyTrial& trial : trials_) {
    if (trial.plan.batches > 1 || step_seconds(trial.plan.runs) >= seconds) continue;
    seconds = step_seconds(trial.plan.runs);
    is_better = true;
    buffers_.whole.runs = trial.plan.runs;
    buffers_.whole.piped = trial.plan.piped;
    plan_.pim_weights = trial.plan.pim_weights;
  }
  return is_better;
}

StepInRoom OptimumPlan::run_one_batch() {
  Batch& whole = buffers_.whole;
  if (allowed_.gemms_on_pim || !pim_.is_beside_gpus()) {
    const BlocksTime blocks = buffers_.optimum.run_one(context_, allowed_, whole);
    const double outside = step_seconds(whole.runs) - block_seconds(whole.runs);
    return {.seconds = outside + blocks.seconds, .lower_bound = outside + blocks.lower_bound, .min_outside = outside};
  }
  AllowedSides relaxed = allowed_;
  relaxed.gemms_on_pim = true;
  StepInRoom one = buffers_.optimum.run_one_in_room(context_, relaxed, pim_room(), whole);
  plan_.pim_weights = one.pim_weights / static_cast<double>(context_.stages);
  if (take_better_policy(one.seconds)) one.has_equal_blocks = true;
  return one;
}

const SubBatches* OptimumPlan::run_two_batches(const StepInRoom& one, double best, double& bound) {
  if (!pim_.is_beside_gpus()) return nullptr;
  Batch& whole = buffers_.whole;
  const SubBatches* found = nullptr;
  BlocksTime two;
  if (buffers_.optimum.run_two(context_, allowed_, whole, best, buffers_.best_halves, two)) {
    scale_blocks(buffers_.best_halves, two.seconds);
    found = &buffers_.best_halves;
  }
  if (!allowed_.gemms_on_pim) {
    AllowedSides relaxed = allowed_;
    relaxed.gemms_on_pim = true;
    buffers_.optimum.run_two(context_, relaxed, whole, 0, buffers_.bound_halves, two);
    if (one.min_outside + two.lower_bound < bound) {
      const double in_room = buffers_.optimum.two_in_room(context_, relaxed, pim_room(), one, bound, whole);
      two.lower_bound = std::max(two.lower_bound, in_room);
    }
  }
  bound = std::min(bound, one.min_outside + two.lower_bound);
  return found;
}

void OptimumPlan::make() {
  Batch& whole = buffers_.whole;
  cost_batch(context_, task_.sequences, {}, whole);
  allow_sides();
  trials_ = try_policies(task_, buffers_);
  const StepInRoom one = run_one_batch();
  double best = block_seconds(whole.runs);
  double bound = one.lower_bound;
  plan_.runs = whole.runs;
  plan_.piped = whole.piped;
  plan_.has_timeline = one.has_equal_blocks;
  for (const PolicyTrial& trial : trials_) {
    if (trial.plan.batches == 1 || block_seconds(trial.plan.runs) >= best) continue;
    best = block_seconds(trial.plan.runs);
    // The non-block layers stay as they are best.
    std::erase_if(plan_.runs, [](const OperatorRun& run) { return run.is_in_block(); });
    std::ranges::copy_if(trial.plan.runs, std::back_inserter(plan_.runs), &OperatorRun::is_in_block);
    plan_.piped = {};
    plan_.batches = trial.plan.batches;
    plan_.has_timeline = true;
  }
  if (const SubBatches* two = run_two_batches(one, best, bound); two != nullptr) {
    list_runs(whole, *two, plan_.runs);
    plan_.piped = {};
    plan_.batches = 2;
    plan_.has_timeline = false;
  }
  plan_.lower_bound = std::min(bound, step_seconds(plan_.runs));
}

}  // namespace

void plan_optimum(const Policy& /*policy*/, const StepTask& task, PlanBuffers& buffers, StepPlan& plan) {
  if (task.context.machine->gpus.count == 0) {
    plan.misfit = "policy llm-optimal needs GPUs";
    return;
  }
  Machine machine = *task.context.machine;
  std::apply([](auto&... units) { (units.use_best_assignment(), ...); }, machine.pim.kinds);
  StepContext context = task.context;
  context.machine = &machine;
  OptimumPlan({context, task.sequences, task.room, task.cache_bytes, task.sequence_bytes}, buffers, plan).make();
}

}  // namespace pimsweep::systems::llm::step
