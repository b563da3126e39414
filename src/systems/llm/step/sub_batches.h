#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "systems/llm/step/batch.h"

namespace pimsweep::systems::llm::step {

/// Attention of sequences that lie in channels of PIM: seconds of a block in the fullest channel, of all sequences and
/// of the two sub-batches that half of each channel's sequences are in, and the sequences of these.
struct ChannelTimes {
  double fullest = 0;
  std::array<double, 2> fullest_of_half = {};
  std::array<double, 2> sequences_of_half = {};
};

/// A step in two sub-batches.
struct SubBatches {
  struct Part {
    std::vector<workload::decoder::Sequences> sequences;
    /// As in PimUnits::attention.
    std::optional<double> fullest;
    Batch batch;
  };
  std::array<Part, 2> parts;
};

/// Divides the sequences of a step between two sub-batches, halving those of each PIM channel (halve_channels); if PIM
/// channels do not hold whole sequences, all generating sequences count as one channel. Prompts are in the first
/// sub-batch. Returns true if both have sequences that generate. `times`: if the sequences lie in channels already.
bool divide_sequences(const StepContext& context, const workload::decoder::Step& step,
                      const std::optional<ChannelTimes>& times, SubBatches& halves);

/// Seconds that all blocks of a step take for two sub-batches, as NeuPIMs interleaves them (ASPLOS 2024, artifact,
/// src/StageProgram.cc:26-31): stages in which the GPU works on GEMMs of one, from its attention to its next, beside
/// attention of the other on PIM; each takes the longer of the two, or both if PIM stops the GPU. With GEMMs Q before
/// attention A, and F after it, N blocks take Q1, [Q2, A1], then N - 1 times [F1 Q1, A2] and [F2 Q2, A1], then [F1, A2]
/// and F2. The artifact runs one block; how blocks follow each other is our reading.
///
/// Runs get their places in a period of two stages, and shares of the time that add up to it. Blocks that are not alike
/// count as their mean.
double interleave_sub_batches(std::span<OperatorRun> first, std::span<OperatorRun> second, double blocks,
                              const Connections& connections);

}  // namespace pimsweep::systems::llm::step
