#include "systems/serving/step_costs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "base/error.h"

namespace pimsweep::systems::serving {

namespace {

/// Groups of decodes with contexts that are about equal; the longest is a group of its own.
constexpr std::size_t max_groups = 8;

}  // namespace

void StepCosts::start(const step::StepContext& context, std::span<const step::Policy> policies,
                      const step::Capacity& capacity, std::int64_t block_tokens, bool is_in_pim,
                      const Residency& residency) {
  context_ = &context;
  policies_ = policies;
  capacity_ = &capacity;
  block_tokens_ = block_tokens;
  is_in_pim_ = is_in_pim;
  residency_ = residency;
  cache_bytes_ = 0;
  decode_costs_.clear();
}

/// Prompts as sequences, contexts and channels of decodes, and what moves.
void StepCosts::list(const engine::Step& step) {
  contexts_.clear();
  channels_.clear();
  sequences_.clear();
  moved_ = {};
  for (const engine::Work& work : step.works) {
    const auto tokens = static_cast<double>(work.tokens);
    const auto context = static_cast<double>(work.context);
    // A copy leaves one channel and enters another.
    moved_.always += 2.0 * work.copied;
    if (work.is_prompt()) {
      sequences_.push_back({.new_tokens = tokens, .context = context, .is_prompt = true});
      moved_.always += is_in_pim_ ? tokens + context : 0;
    } else {
      contexts_.push_back(work.context);
      if (residency_.channels > 0) channels_.push_back(work.pool);
      moved_.for_gpus += is_in_pim_ ? tokens + context : 0;
    }
  }
}

const StepCost& StepCosts::operator()(const engine::Step& step) {
  list(step);
  if (residency_.channels > 0) {
    place_decodes();
    plan(mixed_);
    if (!contexts_.empty()) {
      mixed_.fullest_channel = std::ranges::max(loads_);
      mixed_.mean_channel =
          std::accumulate(loads_.begin(), loads_.end(), 0.0) / static_cast<double>(residency_.channels);
    }
    return mixed_;
  }
  if (!sequences_.empty()) {
    group_decodes(0);
    return plan(mixed_);
  }
  std::int64_t total = 0;
  for (const std::int32_t context : contexts_) total += context;
  const auto count = static_cast<std::int64_t>(contexts_.size());
  const std::int64_t block = total / (count * block_tokens_);
  const auto key = static_cast<std::uint64_t>(count) << 32U | static_cast<std::uint64_t>(block);
  const auto [entry, is_new] = decode_costs_.try_emplace(key);
  if (is_new) {
    const double middle = (static_cast<double>(block) + 0.5) * static_cast<double>(block_tokens_);
    group_decodes(middle - static_cast<double>(total) / static_cast<double>(count));
    plan(entry->second);
  }
  return entry->second;
}

/// Sequences that generate, in groups of neighbors by context, `shift` tokens longer than they are.
void StepCosts::group_decodes(double shift) {
  if (contexts_.empty()) return;
  std::ranges::sort(contexts_);
  const std::size_t count = contexts_.size() - 1;
  const std::size_t groups = std::min(count, max_groups - 1);
  const auto add = [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += contexts_[i];
    const auto size = static_cast<double>(end - begin);
    sequences_.push_back({.count = size, .context = std::max(1.0, sum / size + shift)});
  };
  for (std::size_t i = 0; i < groups; ++i) add(i * count / groups, (i + 1) * count / groups);
  add(count, count + 1);
}

/// Decodes as sequences on their channels, and the tokens of these.
void StepCosts::place_decodes() {
  if (residency_.is_reassigned) {
    loads_.assign(contexts_.begin(), contexts_.end());
    const step::Pim& pim = context_->machine->pim;
    pim.units().assign_channels(pim, loads_, channels_);
  }
  loads_.assign(static_cast<std::size_t>(residency_.channels), 0);
  for (std::size_t i = 0; i < contexts_.size(); ++i) {
    const double context = std::max(1.0, static_cast<double>(contexts_[i]));
    sequences_.push_back({.context = context});
    loads_[static_cast<std::size_t>(channels_[i])] += context;
  }
}

double StepCosts::pim_weights() {
  sequences_.assign(1, {.context = static_cast<double>(block_tokens_)});
  channels_.clear();
  moved_ = {};
  max_pim_weights_ = 0;
  plan(mixed_);
  return max_pim_weights_;
}

const StepCost& StepCosts::plan(StepCost& cost) {
  std::string misfit;
  bool is_possible = false;
  for (const step::Policy& policy : policies_) {
    const step::StepPlan& plan = planner_.plan(policy, {.context = *context_,
                                                        .sequences = sequences_,
                                                        .room = capacity_->room,
                                                        .cache_bytes = cache_bytes_,
                                                        .sequence_bytes = capacity_->sequence_bytes,
                                                        .channels = channels_});
    if (!plan.misfit.empty()) {
      misfit = plan.misfit;
      continue;
    }
    max_pim_weights_ = std::max(max_pim_weights_, plan.pim_weights);
    const step::StepTotals totals = planner_.totals(*context_);
    StepCost other{.seconds = totals.seconds,
                   .gpu_seconds = totals.gpu_seconds,
                   .pim_seconds = totals.pim_seconds,
                   .energy = totals.energy * static_cast<double>(context_->gpus)};
    add_moves(policy, other);
    if (!is_possible || other.seconds < cost.seconds) cost = other;
    is_possible = true;
  }
  if (!is_possible) throw PointError(misfit);
  return cost;
}

/// Keys and values that the step moves between memories, in all stages one after another.
void StepCosts::add_moves(const step::Policy& policy, StepCost& cost) const {
  const double tokens = moved_.always + (policy.caches == step::CachePlace::gpu ? moved_.for_gpus : 0);
  if (tokens == 0) return;
  const hardware::links::Link& link = context_->machine->pim.link;
  const double bytes = tokens * capacity_->sequence_bytes / static_cast<double>(block_tokens_);
  const auto stages = static_cast<double>(context_->stages);
  cost.seconds += stages * hardware::links::transfer_time(link, bytes);
  cost.energy += stages * static_cast<double>(context_->gpus) * bytes * link.energy;
}

}  // namespace pimsweep::systems::serving
