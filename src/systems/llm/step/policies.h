#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "systems/llm/step/cost.h"
#include "workload/decoder/step.h"

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

/// Experts of an operator, divided between both sides.
struct ExpertParts {
  Cost gpu = {};
  Cost pim = {};
  /// Share of the tokens' passages through experts that PIM has: what it sends back.
  double pim_share = 0;
};

/// An operator of a step with its costs on either side, and where a policy runs it.
struct Choice {
  const workload::decoder::Operator* op = nullptr;
  Cost gpu = {};
  Cost pim = {};
  /// Seconds in which inputs go to PIM and outputs come back, if the operators around it are on the GPU.
  double transfer = 0;
  /// Share of the operator that PIM does, beside the GPU: 0 to 1.
  double pim_share = 0;
  /// Experts that both sides have: the work of each side, in place of shares of all.
  std::optional<ExpertParts> parts = {};

  bool is_gemm() const {
    return op->kind == workload::decoder::Kind::linear || op->kind == workload::decoder::Kind::head;
  }
  bool is_attention() const { return op->kind == workload::decoder::Kind::attention; }
};

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
