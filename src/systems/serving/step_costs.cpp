#include "systems/serving/step_costs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "base/error.h"
#include "systems/llm/step/channels.h"

namespace pimsweep::systems::serving {

namespace {

/// Groups of decodes with contexts that are about equal; the longest is a group of its own.
constexpr std::size_t max_groups = 8;

/// Steps in which the time of the fullest channel doubles.
constexpr double channel_steps = 32;

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
  channel_seconds_.clear();
  forget();
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
  channel_times_.reset();
  if (residency_.channels > 0 && !contexts_.empty()) return cost_in_channels();
  if (!sequences_.empty()) {
    group_decodes(0);
    return plan(mixed_);
  }
  const std::int64_t total = total_context();
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

std::int64_t StepCosts::total_context() const {
  return std::accumulate(contexts_.begin(), contexts_.end(), std::int64_t{0});
}

const StepCost& StepCosts::cost_in_channels() {
  place_decodes();
  const double mean = static_cast<double>(total_context()) / static_cast<double>(residency_.channels);
  if (!sequences_.empty()) {
    group_decodes(0);
    plan(mixed_);
  } else {
    const auto [entry, is_new] = channel_costs_.try_emplace(channel_key());
    if (is_new) {
      group_decodes(0);
      plan(entry->second);
    }
    mixed_ = entry->second;
  }
  mixed_.fullest_channel = std::ranges::max(loads_);
  mixed_.mean_channel = mean;
  return mixed_;
}

StepCosts::ChannelKey StepCosts::channel_key() const {
  const auto step_of = [](double seconds) {
    return seconds > 0 ? static_cast<std::int64_t>(std::floor(channel_steps * std::log2(seconds))) : 0;
  };
  const auto count = static_cast<std::int64_t>(contexts_.size());
  const step::ChannelTimes& times = *channel_times_;
  return {count,
          total_context() / (count * block_tokens_),
          static_cast<std::int64_t>(times.sequences_of_half[0]),
          step_of(times.fullest),
          step_of(times.fullest_of_half[0]),
          step_of(times.fullest_of_half[1])};
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

/// Tokens of each channel, and the time of attention in the fullest one.
void StepCosts::place_decodes() {
  if (residency_.is_reassigned) {
    loads_.assign(contexts_.begin(), contexts_.end());
    const step::Pim& pim = context_->machine->pim;
    pim.units().assign_channels(pim, loads_, channels_);
  }
  const auto channels = static_cast<std::size_t>(residency_.channels);
  loads_.assign(channels, 0);
  for (std::vector<double>& seconds : seconds_of_half_) seconds.assign(channels, 0);
  step::halve_channels(channels_, residency_.channels, is_second_);
  step::ChannelTimes& times = channel_times_.emplace();
  for (std::size_t i = 0; i < contexts_.size(); ++i) {
    const auto channel = static_cast<std::size_t>(channels_[i]);
    const std::size_t half = is_second_[i] ? 1 : 0;
    loads_[channel] += contexts_[i];
    seconds_of_half_[half][channel] += channel_seconds(contexts_[i]);
    ++times.sequences_of_half[half];
  }
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const double first = seconds_of_half_[0][channel];
    const double second = seconds_of_half_[1][channel];
    times.fullest = std::max(times.fullest, first + second);
    times.fullest_of_half[0] = std::max(times.fullest_of_half[0], first);
    times.fullest_of_half[1] = std::max(times.fullest_of_half[1], second);
  }
}

double StepCosts::channel_seconds(std::int32_t context) {
  const auto index = static_cast<std::size_t>(context);
  if (index >= channel_seconds_.size()) channel_seconds_.resize(index + 1, -1);
  double& seconds = channel_seconds_[index];
  if (seconds < 0) {
    const std::array decode{workload::decoder::Sequences{.context = std::max(1.0, static_cast<double>(context))}};
    make_step(*context_->decoder, decode, context_->bits, context_->gpus, one_decode_);
    std::vector<double> loads;
    const step::Pim& pim = context_->machine->pim;
    pim.units().channel_loads(pim, {one_decode_.operators.front(), one_decode_, context_->bits}, loads);
    seconds = loads.front();
  }
  return seconds;
}

double StepCosts::pim_weights() {
  sequences_.assign(1, {.context = static_cast<double>(block_tokens_)});
  channel_times_.reset();
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
                                                        .channels = channel_times_});
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
