#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "systems/llm/cost.h"
#include "systems/llm/expert_costs.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::llm {

/// An operator of a step with its costs on either side, and what a policy makes of it.
struct Choice {
  const workload::decoder::Operator* op = nullptr;
  Cost gpu = {};
  Cost pim = {};
  /// Seconds in which inputs go to PIM and outputs come back, if the operators around it are on the card.
  double transfer = 0;
  /// Share of the operator that PIM does, beside the card: 0 to 1.
  double pim_share = 0;
  /// Of experts that both sides have: what each side does of them, in place of shares of all.
  std::optional<ExpertParts> parts = {};
};

/// What a policy knows of a step beside its operators.
struct StepFacts {
  const workload::decoder::Step* step = nullptr;
  /// Of the experts of a block; empty where the policy does not divide them.
  const ExpertCosts* experts = nullptr;
  /// A part of a prompt beside sequences that generate.
  bool is_mixed = false;
  /// Rows of the other factor for each weight, and those above which PAPI runs products on the card.
  double intensity = 0;
  double intensity_threshold = 0;
};

/// Decides where the operators of a step run.
struct Policy {
  std::string_view name;
  std::string_view doc;
  void (*choose)(std::span<Choice> choices, const StepFacts& facts);
  bool needs_pim = true;
  bool works_without_cards = false;
  /// Attention of some heads on PIM may run beside the products of other heads on the card.
  bool pipelines_heads = false;
  /// Keys and values lie in the memory of PIM, if it has one of its own.
  bool keeps_cache_in_pim = false;
  /// PIM takes a part of the feed-forward products.
  bool splits_feed_forward = false;
  /// Experts of a layer may be on both sides.
  bool divides_experts = false;
  /// Two halves of the batch take turns on card and PIM.
  bool takes_turns = false;
  /// The fastest schedule that OptimumFinder finds, in place of choices.
  bool finds_optimum = false;
};

extern const std::array<Policy, 9> policies;

}  // namespace pimsweep::systems::llm
