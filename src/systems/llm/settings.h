#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "systems/llm/step/step_plan.h"
#include "workload/decoder/requests.h"
#include "workload/decoder/routing.h"

namespace pimsweep::systems::llm {

/// Work that a point evaluates: the prompts of a batch (prefill), a step that generates tokens (decode), such a step
/// with a chunk of another prompt (mixed), or whole queries from prompt to last token.
enum class Phase : std::uint8_t { prefill, decode, mixed, query };
inline constexpr Words<Phase, 4> phase_words{
    {{"prefill", Phase::prefill}, {"decode", Phase::decode}, {"mixed", Phase::mixed}, {"query", Phase::query}}};

/// Handling of a batch of queries that does not fit in memory.
enum class Queueing : std::uint8_t { refuse, queue };
inline constexpr Words<Queueing, 2> queueing_words{{{"refuse", Queueing::refuse}, {"queue", Queueing::queue}}};

/// Lengths of the sequences of a batch, and how tokens choose experts.
struct Load {
  workload::decoder::Lengths lengths = workload::decoder::Lengths::equal;
  /// Standard deviation of the logarithm of sampled lengths, and their seed.
  double length_sigma = 0;
  std::int64_t length_seed = 0;
  /// Name of the table of requests.
  std::string_view length_table;
  workload::decoder::Routing routing = workload::decoder::Routing::uniform;
  double routing_exponent = 0;
  /// Name of the table of shares.
  std::string_view routing_table;
};

/// Sequences of a point.
struct Sequencing {
  Phase phase = Phase::decode;
  std::int64_t batch = 1;
  std::int64_t context = 1;
  std::int64_t new_tokens = 1;
  std::int64_t chunk = 512;
  Load load;
  Queueing queueing = Queueing::refuse;
  /// Maximum seconds of a token; 0: no bound.
  double time_bound = 0;
};

/// Division of a model over GPUs.
struct Parallel {
  /// 0: as many as the machine has for each stage of the pipeline.
  std::int64_t tensor = 0;
  std::int64_t pipeline = 1;
  /// As in StepOptions.
  std::int64_t experts = 1;
};

/// A point.
struct Settings {
  std::string_view model;
  Sequencing sequencing;
  workload::decoder::Bits bits;
  Parallel parallel;
  const step::Policy* policy = nullptr;
  step::Pipelining pipelining = step::Pipelining::projections;
  step::Machine machine;
  bool record_timeline = false;
};

/// All axes of the system "llm", with the members of a point as their places.
AxisTable<Settings> make_axes(const std::vector<std::string>& models);

}  // namespace pimsweep::systems::llm
