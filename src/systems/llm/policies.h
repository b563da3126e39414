#pragma once

#include <array>
#include <span>
#include <string_view>

#include "systems/llm/cost.h"
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
};

/// Decides where the operators of a step run.
struct Policy {
  std::string_view name;
  std::string_view doc;
  void (*choose)(std::span<Choice> choices);
  bool needs_pim = true;
  bool works_without_cards = false;
  /// Attention of some heads on PIM may run beside the products of other heads on the card.
  bool pipelines_heads = false;
  /// Keys and values lie in the memory of PIM, if it has one of its own.
  bool keeps_cache_in_pim = false;
  /// PIM takes a part of the feed-forward products.
  bool splits_feed_forward = false;
};

extern const std::array<Policy, 5> policies;

}  // namespace pimsweep::systems::llm
