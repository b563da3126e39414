#include <algorithm>
#include <limits>
#include <utility>

#include "systems/llm/evaluation.h"
#include "systems/llm/turns.h"

namespace pimsweep::systems::llm {

namespace {

using workload::decoder::Kind;
using workload::decoder::Part;

double blocks_seconds(std::span<const OperatorRun> runs) {
  double seconds = 0;
  for (const OperatorRun& run : runs) seconds += run.op->part == Part::ends ? 0 : run.op->times * run.seconds;
  return seconds;
}

/// Sets the parts of the time of blocks, so that they add up to `seconds`.
void scale_blocks(Halves& halves, double seconds) {
  double sum = 0;
  for (const Halves::Half& half : halves.parts) sum += blocks_seconds(half.batch.runs);
  for (Halves::Half& half : halves.parts) {
    for (OperatorRun& run : half.batch.runs) run.seconds *= seconds / sum;
  }
}

bool is_attention(const Choice& choice) { return choice.op->kind == Kind::attention; }

}  // namespace

/// Sides that memory leaves open. A card cannot read keys and values in the memory of PIM, nor PIM weights outside of
/// its own.
AllowedSides Evaluator::allowed_sides() const {
  const Pim& pim = settings_->machine.pim;
  AllowedSides allowed;
  if (!pim.is_beside_cards()) return {.attention_on_pim = false, .products_on_pim = false};
  const double caches = batch_ * sequence_bytes_;
  if (pim.has_own_memory) {
    allowed.attention_on_card = caches <= card_room_;
    allowed.attention_on_pim = caches <= pim_room_;
  }
  if (!pim.holds_weights()) return allowed;
  double weights = 0;
  for (const Choice& choice : whole_.choices) {
    if (is_possible(choice.pim)) weights += choice.op->times * choice.op->weight_bytes;
  }
  const double room = static_cast<double>(pim.devices) * pim.memory - (allowed.attention_on_pim ? caches : 0);
  allowed.products_on_pim = weights / static_cast<double>(settings_->pipeline_parallel) <= room;
  return allowed;
}

/// Lets the whole batch run as the best of the other policies with one batch does, if that takes less than `seconds`:
/// where PIM has no room for the weights of all products, these may share what room there is.
void Evaluator::take_better_policy(double& seconds) {
  const AllowedSides allowed = allowed_sides();
  std::vector<OperatorRun> best_runs = whole_.runs;
  PipedOperators best_piped = whole_.piped;
  for (const Policy& policy : policies) {
    if (policy.takes_turns || policy.finds_optimum) continue;
    for (Choice& choice : whole_.choices) {
      choice.pim_share = 0;
      choice.parts.reset();
    }
    policy.choose(whole_.choices, {.step = &whole_.step, .experts = &whole_.experts});
    const auto can_run = [&](const Choice& choice) {
      if (is_attention(choice) && !(choice.pim_share > 0 ? allowed.attention_on_pim : allowed.attention_on_card)) {
        return false;
      }
      return is_possible(choice.pim_share > 0 ? choice.pim : choice.gpu);
    };
    if (!std::ranges::all_of(whole_.choices, can_run) || !place_weights(policy).empty()) continue;
    llm::run_batch(place_, policy.pipelines_heads ? settings_->pipelining : attacc::Pipelining::none, whole_);
    const double time = blocks_seconds(whole_.runs);
    if (time >= seconds) continue;
    seconds = time;
    best_runs = whole_.runs;
    best_piped = whole_.piped;
  }
  whole_.runs = std::move(best_runs);
  whole_.piped = best_piped;
}

/// Seconds of blocks if two halves take turns as NeuPIMs lets them; infinite if they cannot.
double Evaluator::run_neupims(const AllowedSides& allowed) {
  constexpr double never = std::numeric_limits<double>::infinity();
  if (!allowed.attention_on_pim || !divide_sequences(*pim_, settings_->bits, whole_.step, halves_)) return never;
  for (Halves::Half& half : halves_.parts) {
    cost_batch(place_, half.sequences, half.channels, half.batch);
    for (Choice& choice : half.batch.choices) {
      choice.pim_share = is_attention(choice) ? 1 : 0;
      if (is_attention(choice) && !is_possible(choice.pim)) return never;
    }
    llm::run_batch(place_, attacc::Pipelining::none, half.batch);
  }
  return take_turns(halves_.parts[0].batch.runs, halves_.parts[1].batch.runs, static_cast<double>(decoder_->blocks),
                    place_.connections());
}

Evaluator::Totals Evaluator::run_optimum() {
  if (settings_->machine.cards.count == 0) {
    evaluation_.misfit = "policy llm-optimal needs cards";
    return {};
  }
  const AllowedSides allowed = allowed_sides();
  AllowedSides relaxed = allowed;
  relaxed.products_on_pim = settings_->machine.pim.is_beside_cards();
  const bool is_limited = relaxed.products_on_pim && !allowed.products_on_pim;
  double bound = is_limited ? optimum_.run_one(place_, relaxed, whole_).lower_bound : 0;
  const BlocksTime one = optimum_.run_one(place_, allowed, whole_);
  double best = one.seconds;
  if (!is_limited) bound = one.lower_bound;
  if (is_limited) take_better_policy(best);
  // Two batches, if they can be faster.
  Halves* turns = nullptr;
  if (const double seconds = run_neupims(allowed); seconds < best) {
    best = seconds;
    turns = &halves_;
  }
  if (allowed.attention_on_pim) {
    BlocksTime two;
    if (optimum_.run_two(place_, allowed, whole_, best, best_halves_, two)) {
      best = two.seconds;
      scale_blocks(best_halves_, best);
      turns = &best_halves_;
    }
    if (is_limited) optimum_.run_two(place_, relaxed, whole_, 0, halves_of_bound_, two);
    bound = std::min(bound, two.lower_bound);
  }
  evaluation_.piped = {};
  if (turns != nullptr) {
    list_runs(*turns);
  } else {
    evaluation_.runs = whole_.runs;
    evaluation_.piped = whole_.piped;
  }
  Totals totals = totals_of(evaluation_.runs);
  totals.lower_bound = totals.seconds - blocks_seconds(evaluation_.runs) + std::min(bound, best);
  return totals;
}

}  // namespace pimsweep::systems::llm
