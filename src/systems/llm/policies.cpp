#include "systems/llm/policies.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Kind;
using workload::decoder::Part;

bool is_product(const Choice& choice) { return choice.op->kind == Kind::linear || choice.op->kind == Kind::head; }

void gpu(std::span<Choice> /*choices*/, const StepFacts& /*facts*/) {}

void pim_all(std::span<Choice> choices, const StepFacts& /*facts*/) {
  for (Choice& choice : choices) choice.pim_share = is_possible(choice.pim) ? 1 : 0;
}

// AttAcc (ASPLOS 2024): only attention over cached keys and values, each of which one sequence alone uses.
void attacc(std::span<Choice> choices, const StepFacts& /*facts*/) {
  for (Choice& choice : choices) {
    if (choice.op->kind == Kind::attention) choice.pim_share = 1;
  }
}

// AttAcc artifact, system.py:169-189 (commit c600051), feed-forward co-processing: both sides take columns of the
// feed-forward network, and end together.
void attacc_ff(std::span<Choice> choices, const StepFacts& facts) {
  attacc(choices, facts);
  for (Choice& choice : choices) {
    if (choice.op->part != Part::feed_forward || !is_product(choice) || !is_possible(choice.pim)) continue;
    choice.pim_share = choice.gpu.seconds / (choice.gpu.seconds + choice.pim.seconds);
  }
}

// IANUS (ASPLOS 2024), Algorithm 1: each fully connected layer to the faster side; attention stays on the matrix unit
// (Figure 7c). Transfers to PIM and back count too, so that no layer is slower there than on the card.
void ianus(std::span<Choice> choices, const StepFacts& /*facts*/) {
  for (Choice& choice : choices) {
    if (is_product(choice)) choice.pim_share = choice.pim.seconds + choice.transfer < choice.gpu.seconds ? 1 : 0;
  }
}

// PAPI (ASPLOS 2025), as others describe it: attention always on PIM; products on the card if there are more than a
// threshold of operations for each weight (requests times tokens that each of them guesses), else on PIM.
void papi(std::span<Choice> choices, const StepFacts& facts) {
  const bool on_card = facts.intensity > facts.intensity_threshold;
  for (Choice& choice : choices) {
    if (choice.op->kind == Kind::attention) choice.pim_share = 1;
    if (is_product(choice) && is_possible(choice.pim) && !on_card) choice.pim_share = 1;
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

/// Of all beginnings of `order` on PIM, the one with which the side that ends last ends first.
void divide_by_tokens(const StepFacts& facts, Choice& choice) {
  const ExpertCosts& costs = *facts.experts;
  double card = 0;
  for (const Cost& cost : costs.card) card += cost.seconds;
  double pim = 0;
  double best = card;
  std::size_t best_count = 0;
  const std::vector<std::size_t> order = by_tokens(*facts.step);
  for (std::size_t i = 0; i < order.size(); ++i) {
    card -= costs.card[order[i]].seconds;
    pim += costs.pim[order[i]].seconds;
    if (std::max(card, pim) >= best) continue;
    best = std::max(card, pim);
    best_count = i + 1;
  }
  if (best_count == 0) return;
  if (best_count == order.size()) {
    choice.pim_share = 1;
    return;
  }
  std::vector<bool> on_pim(order.size(), false);
  for (std::size_t i = 0; i < best_count; ++i) on_pim[order[i]] = true;
  choice.parts = parts_of(costs, *facts.step, on_pim);
  choice.pim_share = choice.parts->pim_share;
}

// Duplex (MICRO 2024): attention of sequences that generate on PIM; experts, one after the other with the fewest
// tokens first, to PIM as long as that ends the longer side earlier; in steps with a prompt all experts on the card.
void duplex(std::span<Choice> choices, const StepFacts& facts) {
  for (Choice& choice : choices) {
    if (choice.op->kind == Kind::attention) choice.pim_share = 1;
    if (choice.op->kind == Kind::experts && is_possible(choice.pim) && !facts.is_mixed) {
      divide_by_tokens(facts, choice);
    }
  }
}

}  // namespace

const std::array<Policy, 9> policies{{
    {.name = "gpu", .doc = "all operators on the cards", .choose = gpu, .needs_pim = false},
    {.name = "pim-all",
     .doc = "every operator on PIM that it can run (CENT)",
     .choose = pim_all,
     .works_without_cards = true,
     .keeps_cache_in_pim = true},
    {.name = "attacc",
     .doc = "attention of decoding sequences on PIM, heads in a pipeline with the products on the cards",
     .choose = attacc,
     .pipelines_heads = true,
     .keeps_cache_in_pim = true},
    {.name = "attacc-ff",
     .doc = "attacc, with PIM taking a part of the feed-forward products",
     .choose = attacc_ff,
     .pipelines_heads = true,
     .keeps_cache_in_pim = true,
     .splits_feed_forward = true},
    {.name = "ianus", .doc = "each fully connected layer on the faster side, attention on the cards", .choose = ianus},
    {.name = "neupims",
     .doc = "attention on PIM, halves of each channel's sequences in turn on card and PIM",
     .choose = attacc,
     .keeps_cache_in_pim = true,
     .takes_turns = true},
    {.name = "papi",
     .doc = "attention on PIM, products on the card above a threshold of operations for each weight, else on PIM",
     .choose = papi,
     .keeps_cache_in_pim = true},
    {.name = "duplex",
     .doc = "attention on PIM, experts on both sides, those with the fewest tokens on PIM",
     .choose = duplex,
     .keeps_cache_in_pim = true,
     .divides_experts = true},
    {.name = "llm-optimal",
     .doc = "the fastest schedule of one batch, or of two that share cards and PIM, with its lower bound",
     .choose = gpu,
     .needs_pim = false,
     .keeps_cache_in_pim = true,
     .divides_experts = true,
     .finds_optimum = true},
}};

}  // namespace pimsweep::systems::llm
