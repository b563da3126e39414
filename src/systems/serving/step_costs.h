#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/key_hash.h"
#include "systems/llm/step/capacity.h"
#include "systems/llm/step/step_plan.h"
#include "systems/serving/engine/scheduler.h"

namespace pimsweep::systems::serving {

namespace step = llm::step;

/// Cost of a step on all GPUs, in seconds and joules beyond the idle power.
struct StepCost {
  double seconds = 0;
  double gpu_seconds = 0;
  double pim_seconds = 0;
  double energy = 0;
  /// Tokens that decodes have in the fullest of the channels that hold whole requests, and in a channel on average.
  double fullest_channel = 0;
  double mean_channel = 0;
};

/// Requests in channels of PIM.
struct Residency {
  /// Channels that hold whole requests; 0: all units share each request.
  std::int64_t channels = 0;
  /// The machine's rule assigns all requests again in each step, at no cost; else the pool of the engine is a channel.
  bool is_reassigned = false;
};

/// Costs of an engine's steps by the costs and policies of `llm/step`. A step without prompts costs as much as one with
/// as many decodes whose mean context is in the middle of the same block of tokens: such steps are planned once and
/// remembered. Steps with prompts are planned each. Contexts of decodes are in a few groups. Where channels hold whole
/// requests, the attention of each request counts in its channel, and steps without prompts cost as much as the first
/// one whose fullest channels differ by less than a part of `channel_steps`.
///
/// Each step runs by the fastest of the policies. Keys and values that cross the link between GPUs and a KV cache in
/// PIM's own memory take its time after the step: those of prompts, and all that GPUs read for decodes there.
class StepCosts {
 public:
  /// Forgets all costs. The context must outlive the use. `is_in_pim`: the KV cache is in PIM's own memory.
  void start(const step::StepContext& context, std::span<const step::Policy> policies, const step::Capacity& capacity,
             std::int64_t block_tokens, bool is_in_pim, const Residency& residency);
  /// Forgets the costs of steps, which depend a little on the first step of each kind: runs that must not depend on
  /// what ran before begin with this.
  void forget() {
    decode_costs_.clear();
    channel_costs_.clear();
  }
  /// Throws PointError with the reason if no policy can run the step.
  const StepCost& operator()(const engine::Step& step);
  /// Bytes of weights that PIM of each GPU needs in its own memory for one decode, by the policy that keeps most there.
  double pim_weights();
  /// Bytes of KV caches beside each GPU, which limit what else PIM has room for.
  void set_cache(double bytes) { cache_bytes_ = bytes; }

 private:
  /// Tokens whose keys and values cross the link: in each step, and if GPUs compute the attention of decodes.
  struct Moved {
    double always = 0;
    double for_gpus = 0;
  };
  /// Decodes, block of their mean context, decodes of the first sub-batch, and the logarithms of the time in the
  /// fullest channel, of all and of the sub-batches.
  using ChannelKey = std::array<std::int64_t, 6>;

  void list(const engine::Step& step);
  std::int64_t total_context() const;
  void group_decodes(double shift);
  const StepCost& cost_in_channels();
  void place_decodes();
  double channel_seconds(std::int32_t context);
  ChannelKey channel_key() const;
  const StepCost& plan(StepCost& cost);
  void add_moves(const step::Policy& policy, StepCost& cost) const;

  const step::StepContext* context_ = nullptr;
  std::span<const step::Policy> policies_;
  const step::Capacity* capacity_ = nullptr;
  std::int64_t block_tokens_ = 16;
  double cache_bytes_ = 0;
  bool is_in_pim_ = false;
  Residency residency_;
  Moved moved_;
  step::StepPlanner planner_;
  std::unordered_map<std::uint64_t, StepCost> decode_costs_;
  StepCost mixed_;
  std::vector<std::int32_t> contexts_;
  /// Maximum of all plans.
  double max_pim_weights_ = 0;
  /// Channel of each decode and its sub-batch, and the tokens of each channel.
  std::vector<std::int32_t> channels_;
  std::vector<bool> is_second_;
  std::vector<double> loads_;
  /// Attention of a decode in its channel, by context, in seconds; negative: not known yet.
  std::vector<double> channel_seconds_;
  std::array<std::vector<double>, 2> seconds_of_half_;
  std::optional<step::ChannelTimes> channel_times_;
  std::unordered_map<ChannelKey, StepCost, KeyHash> channel_costs_;
  workload::decoder::Step one_decode_;
  std::vector<workload::decoder::Sequences> sequences_;
};

}  // namespace pimsweep::systems::serving
