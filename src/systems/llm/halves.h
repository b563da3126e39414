#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "systems/llm/batch.h"

namespace pimsweep::systems::llm {

/// A batch of a step in two parts.
struct Halves {
  struct Half {
    std::vector<workload::decoder::Sequences> sequences;
    /// As in channel_attention.
    std::vector<std::int32_t> channels;
    Batch batch;
  };
  std::array<Half, 2> parts;
  /// Buffers.
  std::vector<double> loads = {};
  ChannelPlan plan = {};
  std::vector<bool> is_second = {};
};

/// Divides the sequences of a step between two batches: those of each channel of PIM in halves (halve_channels), of
/// which all sequences that generate are one where PIM has no channels of requests. Prompts are in the first batch.
/// Returns whether both have sequences that generate.
bool divide_sequences(const Pim& pim, const workload::decoder::Bits& bits, const workload::decoder::Step& step,
                      Halves& halves);

}  // namespace pimsweep::systems::llm
