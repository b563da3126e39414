#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "systems/llm/step/cost.h"

namespace pimsweep::systems::llm::step {

class StepFacts;
struct Policy;
struct StepTask;
struct PlanBuffers;
struct StepPlan;

/// Plans of a step (step_plan.h). One batch, its operators one after another on the sides that the policy chooses.
void plan_in_order(const Policy& policy, const StepTask& task, PlanBuffers& buffers, StepPlan& plan);
/// The same, but heads in a pipeline of GPU, link and PIM, as the pipelining of the task says.
void plan_head_pipeline(const Policy& policy, const StepTask& task, PlanBuffers& buffers, StepPlan& plan);
/// Two sub-batches, interleaved as NeuPIMs does; one batch in order where there are not two.
void plan_sub_batches(const Policy& policy, const StepTask& task, PlanBuffers& buffers, StepPlan& plan);
/// The fastest schedule that is found (docs/llm-optimum.md), with its lower bound.
void plan_optimum(const Policy& policy, const StepTask& task, PlanBuffers& buffers, StepPlan& plan);

/// Memory that holds the KV cache.
enum class CachePlace : std::uint8_t {
  gpu,
  /// The memory of PIM, if it has one of its own.
  pim,
  either
};

/// Decides where and when the operators of a step run. A policy that only chooses a side for each operator is a
/// function `choose`; one that orders the work otherwise is a function `plan`.
///
///     {.name = "attacc", .doc = "...", .choose = attacc, .plan = plan_head_pipeline, .caches = CachePlace::pim}
struct Policy {
  std::string_view name;
  std::string_view doc;
  /// Sets the sides of the operators of a batch, which are all on the GPU before.
  void (*choose)(std::span<Choice> choices, const StepFacts& facts) = nullptr;
  /// Plans a step on a machine.
  void (*plan)(const Policy& policy, const StepTask& task, PlanBuffers& buffers, StepPlan& plan) = plan_in_order;
  CachePlace caches = CachePlace::gpu;
  bool needs_pim = true;
  /// Also runs on machines of PIM alone.
  bool works_without_gpus = false;
};

extern const std::array<Policy, 9> policies;

}  // namespace pimsweep::systems::llm::step
