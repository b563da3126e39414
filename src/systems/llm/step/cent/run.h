#pragma once

#include <cstdint>

#include "base/words.h"
#include "systems/llm/step/cent/faults.h"
#include "systems/llm/step/cent/machine.h"
#include "systems/llm/step/model_run.h"
#include "workload/decoder/decoder.h"

namespace pimsweep::systems::llm::step::cent {

/// Tokens of a run: those of a prompt, generated ones that each take as long as the last of them, or both in sequence.
enum class Tokens : std::uint8_t { prompt, generated, query };
inline constexpr Words<Tokens, 3> tokens_words{
    {{"prefill", Tokens::prompt}, {"decode", Tokens::generated}, {"query", Tokens::query}}};

/// A sequence of `context` and then `new_tokens` tokens. With `tensor_parallel` = 0 blocks are stages of a pipeline;
/// else that many devices share each block.
struct Request {
  Tokens tokens = Tokens::generated;
  std::int64_t context = 1;
  std::int64_t new_tokens = 1;
  std::int64_t tensor_parallel = 0;
};

/// A model with 16-bit numbers on CXL devices of GDDR6-AiM with `memory` bytes each (docs/cent.md): one sequence in
/// each stage; a prompt's tokens run sequentially, like generated ones.
ModelRun run(const workload::decoder::Decoder& decoder, const Machine& machine, double memory, const Request& request,
             const Faults& faults);

}  // namespace pimsweep::systems::llm::step::cent
