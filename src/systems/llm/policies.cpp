#include "systems/llm/policies.h"

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Kind;
using workload::decoder::Part;

bool is_product(const Choice& choice) { return choice.op->kind == Kind::linear || choice.op->kind == Kind::head; }

void gpu(std::span<Choice> /*choices*/) {}

void pim_all(std::span<Choice> choices) {
  for (Choice& choice : choices) choice.pim_share = is_possible(choice.pim) ? 1 : 0;
}

// AttAcc (ASPLOS 2024): only attention over cached keys and values, each of which one sequence alone uses.
void attacc(std::span<Choice> choices) {
  for (Choice& choice : choices) {
    if (choice.op->kind == Kind::attention) choice.pim_share = 1;
  }
}

// AttAcc artifact, system.py:169-189 (commit c600051), feed-forward co-processing: both sides take columns of the
// feed-forward network, and end together.
void attacc_ff(std::span<Choice> choices) {
  attacc(choices);
  for (Choice& choice : choices) {
    if (choice.op->part != Part::feed_forward || !is_product(choice) || !is_possible(choice.pim)) continue;
    choice.pim_share = choice.gpu.seconds / (choice.gpu.seconds + choice.pim.seconds);
  }
}

// IANUS (ASPLOS 2024), Algorithm 1: each fully connected layer to the faster side; attention stays on the matrix unit
// (Figure 7c). Transfers to PIM and back count too, so that no layer is slower there than on the card.
void ianus(std::span<Choice> choices) {
  for (Choice& choice : choices) {
    if (is_product(choice)) choice.pim_share = choice.pim.seconds + choice.transfer < choice.gpu.seconds ? 1 : 0;
  }
}

}  // namespace

const std::array<Policy, 5> policies{{
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
}};

}  // namespace pimsweep::systems::llm
