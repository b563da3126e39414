#include "systems/llm/step/step_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace pimsweep::systems::llm::step {

namespace {

/// Lets a policy choose sides. Returns the operator that it runs on a side that cannot, or an empty text.
std::string choose_sides(const Policy& policy, const StepContext& context, Batch& batch) {
  for (Choice& choice : batch.choices) {
    choice.pim_share = 0;
    choice.parts.reset();
  }
  policy.choose(batch.choices, StepFacts(context, batch));
  for (const Choice& choice : batch.choices) {
    if (is_possible(choice.pim_share > 0 ? choice.pim : choice.gpu)) continue;
    return fmt::format("policy {} runs {} on {}, but the machine has none that can", policy.name, choice.op->name,
                       choice.pim_share > 0 ? "PIM" : "a GPU");
  }
  return {};
}

/// Weights that PIM multiplies lie in its memory, if it has one of its own, beside the KV cache there; GPUs keep all,
/// since prompts need them. GEMMs that both sides share by columns give back to the GPU what does not fit.
std::string place_weights(const Policy& policy, const StepTask& task, Batch& batch, StepPlan& plan) {
  const Pim& pim = task.context.machine->pim;
  if (!pim.holds_weights()) return {};
  double weights = 0;
  bool is_split = false;
  for (const Choice& choice : batch.choices) {
    weights += choice.pim_share * choice.op->times * choice.op->weight_bytes;
    is_split |= choice.is_gemm() && choice.pim_share > 0 && choice.pim_share < 1;
  }
  if (weights == 0) return {};
  weights /= static_cast<double>(task.context.stages);
  const double memory = static_cast<double>(pim.count) * pim.memory;
  const bool has_caches = policy.caches == CachePlace::pim;
  const double room = std::max(0.0, memory - (has_caches ? task.cache_bytes : 0));
  if (is_split && weights > room) {
    for (Choice& choice : batch.choices) {
      if (choice.op->weight_bytes > 0) choice.pim_share *= room / weights;
    }
    weights = room;
  }
  plan.pim_weights = weights;
  if (weights <= room) return {};
  if (has_caches) plan.max_sequences = std::floor(std::max(0.0, memory - weights) / task.sequence_bytes);
  return fmt::format(
      "policy {} has {:.4g} GB of weights in the PIM of each GPU, where {:.4g} GB are left beside the "
      "KV cache",
      policy.name, 1e-9 * weights, 1e-9 * room);
}

/// Costs, sides and runs of one batch. Returns whether it can run.
bool run_one_batch(const Policy& policy, const StepTask& task, Pipelining pipelining, Batch& batch, StepPlan& plan) {
  cost_batch(task.context, task.sequences, task.channels ? std::optional(task.channels->fullest) : std::nullopt, batch);
  plan.misfit = choose_sides(policy, task.context, batch);
  if (plan.misfit.empty()) plan.misfit = place_weights(policy, task, batch, plan);
  if (!plan.misfit.empty()) return false;
  run_batch(task.context, pipelining, batch);
  plan.runs = batch.runs;
  plan.piped = batch.piped;
  return true;
}

}  // namespace

void plan_in_order(const Policy& policy, const StepTask& task, PlanBuffers& buffers, StepPlan& plan) {
  run_one_batch(policy, task, Pipelining::none, buffers.whole, plan);
}

void plan_head_pipeline(const Policy& policy, const StepTask& task, PlanBuffers& buffers, StepPlan& plan) {
  run_one_batch(policy, task, task.context.pipelining, buffers.whole, plan);
}

void plan_sub_batches(const Policy& policy, const StepTask& task, PlanBuffers& buffers, StepPlan& plan) {
  const StepContext& context = task.context;
  if (!run_one_batch(policy, task, Pipelining::none, buffers.whole, plan)) return;
  if (!divide_sequences(context, buffers.whole.step, task.channels, buffers.halves)) return;
  for (SubBatches::Part& part : buffers.halves.parts) {
    cost_batch(context, part.sequences, part.fullest, part.batch);
    plan.misfit = choose_sides(policy, context, part.batch);
    if (!plan.misfit.empty()) return;
    run_batch(context, Pipelining::none, part.batch);
  }
  interleave_sub_batches(buffers.halves.parts[0].batch.runs, buffers.halves.parts[1].batch.runs, context.blocks(),
                         context.connections());
  list_runs(buffers.whole, buffers.halves, plan.runs);
  plan.piped = {};
  plan.batches = 2;
}

void list_runs(const Batch& whole, const SubBatches& halves, std::vector<OperatorRun>& runs) {
  const auto is_outside = [](const OperatorRun& run) { return !run.is_in_block(); };
  const auto is_none = [&](const OperatorRun& run) { return is_outside(run) || run.op->times == 0; };
  runs.clear();
  std::ranges::copy_if(whole.runs, std::back_inserter(runs), is_outside);
  for (const SubBatches::Part& part : halves.parts) {
    std::ranges::remove_copy_if(part.batch.runs, std::back_inserter(runs), is_none);
  }
}

std::vector<PolicyTrial> try_policies(const StepTask& task, PlanBuffers& buffers) {
  std::vector<PolicyTrial> trials;
  if (!buffers.trial) buffers.trial = std::make_unique<PlanBuffers>();
  for (const Policy& policy : policies) {
    if (policy.caches == CachePlace::either) continue;
    const bool in_pim = policy.caches == CachePlace::pim && task.context.machine->pim.has_own_memory;
    if (task.cache_bytes > (in_pim ? task.room.pim : task.room.gpu)) continue;
    PolicyTrial trial{.policy = &policy, .plan = {}};
    policy.plan(policy, task, *buffers.trial, trial.plan);
    if (trial.plan.misfit.empty()) trials.push_back(std::move(trial));
  }
  return trials;
}

void StepTotals::add(const StepTotals& other, double times) {
  seconds += times * other.seconds;
  lower_bound += times * other.lower_bound;
  stage_seconds += times * other.stage_seconds;
  gpu_seconds += times * other.gpu_seconds;
  pim_seconds += times * other.pim_seconds;
  operations += times * other.operations;
  gpu_bytes += times * other.gpu_bytes;
  pim_bytes += times * other.pim_bytes;
  link_bytes += times * other.link_bytes;
  energy += times * other.energy;
}

const StepPlan& StepPlanner::plan(const Policy& policy, const StepTask& task) {
  std::vector<OperatorRun> runs = std::move(plan_.runs);
  runs.clear();
  plan_ = {};
  plan_.runs = std::move(runs);
  policy.plan(policy, task, buffers_, plan_);
  return plan_;
}

StepTotals StepPlanner::totals(const StepContext& context) const {
  const Machine& machine = *context.machine;
  StepTotals totals;
  double outside = 0;
  for (const OperatorRun& run : plan_.runs) {
    const double times = run.op->times;
    totals.seconds += times * run.seconds;
    if (!run.is_in_block()) outside += times * run.seconds;
    totals.gpu_seconds += times * run.gpu.seconds;
    totals.pim_seconds += times * run.pim.seconds;
    totals.operations += times * run.op->operations;
    totals.gpu_bytes += times * run.gpu.bytes;
    totals.pim_bytes += times * run.pim.bytes;
    totals.link_bytes += times * run.link.bytes;
    totals.energy += times * (run.gpu.energy + run.pim.energy + run.link.energy);
  }
  double sequences = 0;
  for (const workload::decoder::Sequences& some : buffers_.whole.step.sequences) sequences += some.count;
  const double host = machine.host.added_time(sequences, context.blocks(), totals.seconds);
  const auto stages = static_cast<double>(context.stages);
  const double handover_bytes =
      buffers_.whole.step.tokens * static_cast<double>(context.decoder->hidden) * context.bits.activations / 8;
  const double handover = stages > 1 ? machine.gpus.send_time(handover_bytes) : 0;
  // The last stage has the head too.
  totals.stage_seconds =
      (totals.seconds - outside) * std::ceil(context.blocks() / stages) / context.blocks() + outside + handover + host;
  totals.seconds += (stages - 1) * handover + host;
  totals.link_bytes += (stages - 1) * handover_bytes;
  totals.energy += (stages - 1) * handover_bytes * machine.gpus.link.energy;
  if (plan_.lower_bound) totals.lower_bound = totals.seconds - step_seconds(plan_.runs) + *plan_.lower_bound;
  return totals;
}

}  // namespace pimsweep::systems::llm::step
