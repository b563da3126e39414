#include "systems/serving/step_costs.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace pimsweep::systems::serving {

namespace {

/// Groups of decodes with contexts that are about equal; the longest is a group of its own.
constexpr std::size_t max_groups = 8;

}  // namespace

void StepCosts::start(const step::StepContext& context, const step::Policy& policy, const step::Capacity& capacity,
                      std::int64_t block_tokens) {
  context_ = &context;
  policy_ = &policy;
  capacity_ = &capacity;
  block_tokens_ = block_tokens;
  cache_bytes_ = 0;
  decode_costs_.clear();
  plans_ = 0;
}

const StepCost& StepCosts::operator()(const engine::Step& step) {
  std::int64_t total = 0;
  contexts_.clear();
  sequences_.clear();
  for (const engine::Work& work : step.works) {
    if (work.is_prompt()) {
      sequences_.push_back({.new_tokens = static_cast<double>(work.tokens),
                            .context = static_cast<double>(work.context),
                            .is_prompt = true});
    } else {
      contexts_.push_back(work.context);
      total += work.context;
    }
  }
  if (!sequences_.empty()) {
    group_decodes(0);
    return plan(mixed_);
  }
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

double StepCosts::pim_weights() {
  sequences_.assign(1, {.context = static_cast<double>(block_tokens_)});
  plan(mixed_);
  return planner_.last().pim_weights;
}

const StepCost& StepCosts::plan(StepCost& cost) {
  ++plans_;
  const step::StepPlan& plan = planner_.plan(*policy_, {.context = *context_,
                                                        .sequences = sequences_,
                                                        .room = capacity_->room,
                                                        .cache_bytes = cache_bytes_,
                                                        .sequence_bytes = capacity_->sequence_bytes});
  if (!plan.misfit.empty()) throw PointError(plan.misfit);
  const step::StepTotals totals = planner_.totals(*context_);
  cost = {.seconds = totals.seconds,
          .gpu_seconds = totals.gpu_seconds,
          .pim_seconds = totals.pim_seconds,
          .energy = totals.energy * static_cast<double>(context_->gpus)};
  return cost;
}

}  // namespace pimsweep::systems::serving
