#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "systems/llm/step/machine.h"
#include "systems/llm/step/policies.h"
#include "systems/llm/step/step_run.h"
#include "systems/serving/engine/scheduler.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::serving {

namespace step = llm::step;

/// Arrivals of requests: random gaps, exponential or gamma distributed; times of a trace; or all requests at once, of
/// which a limited number are in flight.
enum class Arrivals : std::uint8_t { poisson, gamma, trace, closed_loop };
inline constexpr Words<Arrivals, 4> arrivals_words{{{"poisson", Arrivals::poisson},
                                                    {"gamma", Arrivals::gamma},
                                                    {"trace", Arrivals::trace},
                                                    {"closed-loop", Arrivals::closed_loop}}};

/// Lengths of requests: of the trace where there is one, else equal; equal; or sampled from log-normal distributions.
enum class Lengths : std::uint8_t { own, equal, log_normal };
inline constexpr Words<Lengths, 3> lengths_words{
    {{"own", Lengths::own}, {"equal", Lengths::equal}, {"log-normal", Lengths::log_normal}}};

enum class EngineRules : std::uint8_t { vllm, static_batches };
inline constexpr Words<EngineRules, 2> engine_words{
    {{"vllm", EngineRules::vllm}, {"static-batches", EngineRules::static_batches}}};

/// Assignment of requests to channels of PIM that hold whole requests: at admission, or (none of these rules) of all
/// requests again in each step by the machine's rule, as if moving them were free.
using ChannelPlacement = std::optional<engine::Placement>;
inline constexpr Words<ChannelPlacement, 4> channel_placement_words{{{"round-robin", engine::Placement::round_robin},
                                                                     {"min-tokens", engine::Placement::min_tokens},
                                                                     {"min-blocks", engine::Placement::min_blocks},
                                                                     {"each-step", std::nullopt}}};

/// The requests of a point.
struct Traffic {
  Arrivals arrivals = Arrivals::poisson;
  double request_rate = 0;
  double burstiness = 1;
  std::int64_t seed = 1;
  std::int64_t max_concurrency = 0;
  std::string_view trace = {};
  std::int64_t requests = 300;
  Lengths lengths = Lengths::own;
  std::int64_t input_tokens = 1024;
  std::int64_t output_tokens = 128;
  double length_sigma = 0.5;
  std::int64_t length_seed = 1;
  double shared_prefix_share = 0;
  std::int64_t warmup = 0;
};

/// The engine, and the memory that it has for blocks.
struct EngineSettings {
  EngineRules rules = EngineRules::vllm;
  engine::Limits limits;
  /// 0: from memory.
  std::int64_t num_gpu_blocks = 0;
  bool async_scheduling = true;
  /// 0: that of the machine.
  double memory_utilization = 0;
  double reserved_memory = 0;
  ChannelPlacement channel_placement = engine::Placement::min_tokens;
};

/// Bounds that a request should meet, the share of requests that should meet both, and the price of the machine.
struct ServiceLevel {
  double ttft = 1;
  double tpot = 0.05;
  double share = 0.9;
  double price_per_hour = 0;
  /// Also find the highest rate at which enough requests meet both bounds.
  bool find_max_rate = false;
};

/// A point.
struct Settings {
  std::string_view model;
  Traffic traffic;
  EngineSettings engine;
  ServiceLevel level;
  workload::decoder::Bits bits;
  /// GPUs that share each operator (0: all of a stage), and stages.
  std::int64_t tensor = 0;
  std::int64_t pipeline = 1;
  std::int64_t expert_parallel = 1;
  const step::Policy* policy = nullptr;
  step::Pipelining pipelining = step::Pipelining::projections;
  step::Machine machine;
  bool record_timeline = false;
};

/// All axes of the system "serving", with the members of a point as their places.
AxisTable<Settings> make_axes(const std::vector<std::string>& models);

/// The policies of steps: those of the system "llm" but its search for an optimum, which takes longer than a run; and
/// the fastest of these in each step.
std::span<const step::Policy> serving_step_policies();
/// The policies of which each step uses the fastest: the policy itself, or all others of "best-of-step".
std::span<const step::Policy> candidates_of(const step::Policy& policy);

}  // namespace pimsweep::systems::serving
