#pragma once

#include <cstdint>
#include <string_view>

#include "systems/llm/machine.h"
#include "systems/llm/policies.h"
#include "workload/decoder/step.h"

namespace pimsweep::systems::llm {

/// What a point evaluates: the prompts of a batch, a step that generates tokens, such a step with a piece of another
/// prompt in it, or whole queries from prompt to last token.
enum class Phase : std::uint8_t { prefill, decode, mixed, query };
inline constexpr Words<Phase, 4> phase_words{
    {{"prefill", Phase::prefill}, {"decode", Phase::decode}, {"mixed", Phase::mixed}, {"query", Phase::query}}};

/// What a point says.
struct Settings {
  std::string_view model;
  Phase phase = Phase::decode;
  std::int64_t batch = 1;
  std::int64_t context = 1;
  std::int64_t new_tokens = 1;
  std::int64_t chunk = 512;
  workload::decoder::Bits bits;
  /// 0: as many as the machine has for each stage of the pipeline.
  std::int64_t tensor_parallel = 0;
  std::int64_t pipeline_parallel = 1;
  const Policy* policy = nullptr;
  Machine machine;
  bool record_timeline = false;
};

}  // namespace pimsweep::systems::llm
