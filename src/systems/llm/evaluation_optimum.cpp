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

double seconds_of(std::span<const OperatorRun> runs) {
  double seconds = 0;
  for (const OperatorRun& run : runs) seconds += run.op->times * run.seconds;
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

/// Lets the whole batch run as the best of the other policies with one batch does, if that takes less than `seconds`,
/// and returns whether it does: where PIM has no room for the weights of all products, these may share what room there
/// is.
bool Evaluator::take_better_policy(const AllowedSides& allowed, double& seconds) {
  bool is_better = false;
  const double pim_weights = *evaluation_.pim_weights;
  double best_weights = pim_weights;
  std::vector<OperatorRun> best_runs = whole_.runs;
  PipedOperators best_piped = whole_.piped;
  for (const Policy& policy : policies) {
    if (policy.takes_turns || policy.finds_optimum) continue;
    choose_by(policy, place_, whole_);
    const auto can_run = [&](const Choice& choice) {
      if (is_attention(choice) && !(choice.pim_share > 0 ? allowed.attention_on_pim : allowed.attention_on_card)) {
        return false;
      }
      return is_possible(choice.pim_share > 0 ? choice.pim : choice.gpu);
    };
    evaluation_.pim_weights = pim_weights;
    if (!std::ranges::all_of(whole_.choices, can_run) || !place_weights(policy).empty()) continue;
    llm::run_batch(place_, policy.pipelines_heads ? settings_->pipelining : attacc::Pipelining::none, whole_);
    const double time = seconds_of(whole_.runs);
    if (time >= seconds) continue;
    seconds = time;
    is_better = true;
    best_weights = *evaluation_.pim_weights;
    best_runs = whole_.runs;
    best_piped = whole_.piped;
  }
  whole_.runs = std::move(best_runs);
  whole_.piped = best_piped;
  evaluation_.pim_weights = best_weights;
  return is_better;
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

PimRoom Evaluator::pim_room() const {
  const Pim& pim = settings_->machine.pim;
  const auto stages = static_cast<double>(settings_->pipeline_parallel);
  return {.bytes = stages * static_cast<double>(pim.devices) * pim.memory, .caches = stages * batch_ * sequence_bytes_};
}

/// Lets the whole batch run as fast as one batch can; seconds of blocks and ends.
StepInRoom Evaluator::run_one_batch(const AllowedSides& allowed) {
  const Pim& pim = settings_->machine.pim;
  if (allowed.products_on_pim || !pim.is_beside_cards()) {
    const BlocksTime blocks = optimum_.run_one(place_, allowed, whole_);
    const double ends = seconds_of(whole_.runs) - blocks_seconds(whole_.runs);
    return {.seconds = ends + blocks.seconds, .lower_bound = ends + blocks.lower_bound, .least_ends = ends};
  }
  AllowedSides relaxed = allowed;
  relaxed.products_on_pim = true;
  StepInRoom one = optimum_.run_one_in_room(place_, relaxed, pim_room(), whole_);
  // Shares of columns that no way has.
  if (take_better_policy(allowed, one.seconds)) {
    one.has_equal_blocks = true;
  } else {
    evaluation_.pim_weights = one.pim_weights / static_cast<double>(settings_->pipeline_parallel);
  }
  return one;
}

Evaluator::Totals Evaluator::run_optimum() {
  if (settings_->machine.cards.count == 0) {
    evaluation_.misfit = "policy llm-optimal needs cards";
    return {};
  }
  const AllowedSides allowed = allowed_sides();
  const StepInRoom one = run_one_batch(allowed);
  double best = blocks_seconds(whole_.runs);
  double bound = one.lower_bound;
  // Two batches, if they can be faster.
  Halves* turns = nullptr;
  if (const double seconds = run_neupims(allowed); seconds < best) {
    best = seconds;
    turns = &halves_;
  }
  if (settings_->machine.pim.is_beside_cards()) {
    BlocksTime two;
    if (optimum_.run_two(place_, allowed, whole_, best, best_halves_, two)) {
      best = two.seconds;
      scale_blocks(best_halves_, best);
      turns = &best_halves_;
    }
    if (!allowed.products_on_pim) {
      AllowedSides relaxed = allowed;
      relaxed.products_on_pim = true;
      optimum_.run_two(place_, relaxed, whole_, 0, halves_of_bound_, two);
      if (one.least_ends + two.lower_bound < bound) {
        const double in_room = optimum_.two_in_room(place_, relaxed, pim_room(), one, bound, whole_);
        two.lower_bound = std::max(two.lower_bound, in_room);
      }
    }
    bound = std::min(bound, one.least_ends + two.lower_bound);
  }
  evaluation_.piped = {};
  evaluation_.has_timeline = one.has_equal_blocks;
  if (turns != nullptr) {
    list_runs(*turns);
    evaluation_.has_timeline = turns == &halves_;
  } else {
    evaluation_.runs = whole_.runs;
    evaluation_.piped = whole_.piped;
  }
  Totals totals = totals_of(evaluation_.runs);
  const double steps = seconds_of(evaluation_.runs);
  totals.lower_bound = totals.seconds - steps + std::min(bound, steps);
  return totals;
}

}  // namespace pimsweep::systems::llm
