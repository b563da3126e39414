#pragma once

#include <cstddef>
#include <vector>

#include "systems/llm/batch.h"
#include "systems/llm/halves.h"
#include "systems/llm/options.h"

namespace pimsweep::systems::llm {

/// Seconds of all blocks of a step.
struct BlocksTime {
  double seconds = 0;
  /// What no schedule is below.
  double lower_bound = 0;
};

/// Looks for the fastest schedule of a step's blocks: of one batch, each operator on the card, on PIM or on both, with
/// heads in a pipeline; or of two batches that share card, PIM and link. Keeps its memory.
class OptimumFinder {
 public:
  /// Lets the whole batch run as fast as one batch can (schedule/chain.h): exact.
  BlocksTime run_one(const BatchPlace& place, const AllowedSides& allowed, Batch& whole);

  /// Whether two batches of the step are faster than `cutoff` seconds. If so, both have run as in the fastest schedule
  /// that was found. Both have sequences that generate; prompts are in the first one.
  ///
  /// Of sequences of equal lengths all sizes and ways are compared (schedule/two_batches.h): up to 512 of them, or up
  /// to 64 beside a prompt. Of more, seven sizes are, and of different lengths NeuPIMs' halves; then the bound is that
  /// of the shortest sequences: of half of all sequences alone, since one of the batches has as many, or of two batches
  /// that both have the shortest. Only the bound is set where nothing is faster.
  bool run_two(const BatchPlace& place, const AllowedSides& allowed, Batch& whole, double cutoff, Halves& halves,
               BlocksTime& time);

 private:
  bool run_sizes(const BatchPlace& place, const AllowedSides& allowed, Batch& whole, double cutoff, Halves& halves,
                 BlocksTime& time);
  bool run_halves(const BatchPlace& place, const AllowedSides& allowed, Batch& whole, double cutoff, Halves& halves,
                  BlocksTime& time);
  double shorter_half(const BatchPlace& place, const AllowedSides& allowed, const Batch& whole);
  double shortest_sequences(const BatchPlace& place, const AllowedSides& allowed, const Batch& whole);
  /// Costs and options of a part of the batch, which has its sequences.
  void cost_part(const BatchPlace& place, const AllowedSides& allowed, Halves::Half& part, BlockOptions& options);

  std::vector<BlockOptions> rows_;
  Halves::Half part_;
  /// Of the step of which batches are parts.
  bool has_prompts_ = false;
};

}  // namespace pimsweep::systems::llm
