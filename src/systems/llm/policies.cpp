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

// AttAcc (ASPLOS 2024), Sec. 4: only attention over cached keys and values, each of which one sequence alone uses.
void attacc(std::span<Choice> choices) {
  for (Choice& choice : choices) {
    if (choice.op->kind == Kind::attention) choice.pim_share = 1;
  }
}

// AttAcc, Sec. 5 (feed-forward co-processing): both sides take columns of the feed-forward network, and end together.
void attacc_ff(std::span<Choice> choices) {
  attacc(choices);
  for (Choice& choice : choices) {
    if (choice.op->part != Part::feed_forward || !is_product(choice) || !is_possible(choice.pim)) continue;
    choice.pim_share = choice.gpu.seconds / (choice.gpu.seconds + choice.pim.seconds);
  }
}

// IANUS (ASPLOS 2024), Algorithm 1: each fully connected layer to the faster side; attention stays on the matrix unit
// (Sec. 5.2, Figure 7c).
void ianus(std::span<Choice> choices) {
  for (Choice& choice : choices) {
    if (is_product(choice)) choice.pim_share = choice.pim.seconds < choice.gpu.seconds ? 1 : 0;
  }
}

}  // namespace

const std::array<Policy, 5> policies{{
    {"gpu", "all operators on the cards", gpu},
    {"pim-all", "every operator on PIM that it can run (CENT)", pim_all, false, true},
    {"attacc", "attention of decoding sequences on PIM, heads in a pipeline with the products on the cards", attacc,
     true, true},
    {"attacc-ff", "attacc, with PIM taking a part of the feed-forward products", attacc_ff, true, true},
    {"ianus", "each fully connected layer on the faster side, attention on the cards", ianus},
}};

}  // namespace pimsweep::systems::llm
