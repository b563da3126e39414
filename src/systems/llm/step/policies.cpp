#include "systems/llm/step/policies.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "systems/llm/step/batch.h"

namespace pimsweep::systems::llm::step {

namespace {

using workload::decoder::Kind;
using workload::decoder::Part;

void all_on_gpu(std::span<Choice> /*choices*/, const StepFacts& /*facts*/) {}

void pim_all(std::span<Choice> choices, const StepFacts& /*facts*/) {
  for (Choice& choice : choices) choice.pim_share = is_possible(choice.pim) ? 1 : 0;
}

// AttAcc (ASPLOS 2024): only attention over cached keys and values, each of which one sequence alone uses.
void attacc(std::span<Choice> choices, const StepFacts& /*facts*/) {
  for (Choice& choice : choices) {
    if (choice.is_attention()) choice.pim_share = 1;
  }
}

// AttAcc artifact, system.py:169-189 (commit c600051), feed-forward co-processing: both sides take columns of the
// feed-forward network, and end together.
void attacc_ff(std::span<Choice> choices, const StepFacts& facts) {
  attacc(choices, facts);
  for (Choice& choice : choices) {
    if (choice.op->part != Part::feed_forward || !choice.is_gemm() || !is_possible(choice.pim)) continue;
    choice.pim_share = choice.gpu.seconds / (choice.gpu.seconds + choice.pim.seconds);
  }
}

// IANUS (ASPLOS 2024), Algorithm 1: each fully connected layer to the faster side; attention stays on the matrix unit
// (Figure 7c). Transfers to PIM and back count too, so that no layer is slower there than on the GPU.
void ianus(std::span<Choice> choices, const StepFacts& /*facts*/) {
  for (Choice& choice : choices) {
    if (choice.is_gemm()) choice.pim_share = choice.pim.seconds + choice.transfer < choice.gpu.seconds ? 1 : 0;
  }
}

// PAPI (ASPLOS 2025), as others describe it: attention always on PIM; GEMMs on the GPU if there are more than a
// threshold of operations for each weight (sequences times tokens of speculative decoding), else on PIM.
void papi(std::span<Choice> choices, const StepFacts& facts) {
  const bool on_gpu = facts.intensity() > facts.intensity_threshold();
  for (Choice& choice : choices) {
    if (choice.is_attention()) choice.pim_share = 1;
    if (choice.is_gemm() && is_possible(choice.pim) && !on_gpu) choice.pim_share = 1;
  }
}

/// Experts in the order in which Duplex gives them to PIM: fewest tokens first.
std::vector<std::size_t> by_tokens(const workload::decoder::Step& step) {
  std::vector<std::size_t> order(step.experts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto tokens = [&](std::size_t i) { return step.experts[i].active * step.experts[i].tokens; };
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return tokens(a) < tokens(b); });
  return order;
}

/// Moves experts to PIM in the order of `by_tokens` as long as the side that ends last ends earlier.
void divide_by_tokens(const StepFacts& facts, Choice& choice) {
  const ExpertCosts& costs = facts.experts();
  double gpu = 0;
  for (const Cost& cost : costs.gpu) gpu += cost.seconds;
  double pim = 0;
  double best = gpu;
  std::size_t best_count = 0;
  const std::vector<std::size_t> order = by_tokens(facts.step());
  for (std::size_t i = 0; i < order.size(); ++i) {
    gpu -= costs.gpu[order[i]].seconds;
    pim += costs.pim[order[i]].seconds;
    if (std::max(gpu, pim) >= best) continue;
    best = std::max(gpu, pim);
    best_count = i + 1;
  }
  if (best_count == 0) return;
  if (best_count == order.size()) {
    choice.pim_share = 1;
    return;
  }
  std::vector<bool> on_pim(order.size(), false);
  for (std::size_t i = 0; i < best_count; ++i) on_pim[order[i]] = true;
  choice.parts = parts_of(costs, facts.step(), on_pim);
  choice.pim_share = choice.parts->pim_share;
}

// Duplex (MICRO 2024): attention of sequences that generate on PIM; experts, one after the other with the fewest
// tokens first, to PIM as long as that ends the longer side earlier; in steps with a prompt all experts on the GPU.
void duplex(std::span<Choice> choices, const StepFacts& facts) {
  for (Choice& choice : choices) {
    if (choice.is_attention()) choice.pim_share = 1;
    if (choice.op->kind == Kind::experts && is_possible(choice.pim) && !facts.is_mixed()) {
      divide_by_tokens(facts, choice);
    }
  }
}

}  // namespace

const std::array<Policy, 9> policies{{
    {.name = "gpu", .doc = "all operators on the GPUs", .choose = all_on_gpu, .needs_pim = false},
    {.name = "pim-all",
     .doc = "every operator on PIM that it can run (CENT)",
     .choose = pim_all,
     .caches = CachePlace::pim,
     .works_without_gpus = true},
    {.name = "attacc",
     .doc = "attention of decoding sequences on PIM, heads in a pipeline with the GEMMs on the GPUs",
     .choose = attacc,
     .plan = plan_head_pipeline,
     .caches = CachePlace::pim},
    {.name = "attacc-ff",
     .doc = "attacc, with PIM taking a part of the feed-forward GEMMs",
     .choose = attacc_ff,
     .plan = plan_head_pipeline,
     .caches = CachePlace::pim},
    {.name = "ianus", .doc = "each fully connected layer on the faster side, attention on the GPUs", .choose = ianus},
    {.name = "neupims",
     .doc = "attention on PIM, with two interleaved sub-batches of each channel's sequences on GPU and PIM",
     .choose = attacc,
     .plan = plan_sub_batches,
     .caches = CachePlace::pim},
    {.name = "papi",
     .doc = "attention on PIM, GEMMs on the GPU above a threshold of operations for each weight, else on PIM",
     .choose = papi,
     .caches = CachePlace::pim},
    {.name = "duplex",
     .doc = "attention on PIM, experts on both sides, those with the fewest tokens on PIM",
     .choose = duplex,
     .caches = CachePlace::pim},
    {.name = "llm-optimal",
     .doc = "the fastest schedule of one batch, or of two that share GPUs and PIM, with its lower bound",
     .plan = plan_optimum,
     .caches = CachePlace::either,
     .needs_pim = false},
}};

}  // namespace pimsweep::systems::llm::step
