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

/// Memory of PIM for all blocks and ends of a model, in bytes beside one card of each stage together.
struct PimRoom {
  double bytes = 0;
  /// Keys and values of all blocks, which attention on PIM needs there.
  double caches = 0;
};

/// A step in which the blocks need not be alike: seconds of blocks and ends.
struct StepInRoom {
  double seconds = 0;
  double lower_bound = 0;
  /// What the ends take at least.
  double least_ends = 0;
  /// Bytes of weights that PIM has.
  double pim_weights = 0;
  /// Seconds that a byte of room more gains.
  double price = 0;
  bool has_equal_blocks = true;
};

/// Looks for the fastest schedule of a step's blocks: of one batch, each operator on the card, on PIM or on both, with
/// heads in a pipeline; or of two batches that share card, PIM and link. Keeps its memory.
class OptimumFinder {
 public:
  /// Lets the whole batch run as fast as one batch can (schedule/chain.h): exact.
  BlocksTime run_one(const BatchPlace& place, const AllowedSides& allowed, Batch& whole);

  /// The same where the memory of PIM has no room for all that may be there: which blocks have which weights, keys and
  /// values in it (schedule/chain_in_room.h). Runs are means over the blocks. Infinite if keys and values find no room.
  StepInRoom run_one_in_room(const BatchPlace& place, const AllowedSides& allowed, const PimRoom& room, Batch& whole);

  /// What no two batches are below that have their weights, keys and values in this room, by the prices of a byte
  /// around that of one batch. Both may use the same weights. With the ends of one batch no sharper than `enough`.
  double two_in_room(const BatchPlace& place, const AllowedSides& allowed, const PimRoom& room, const StepInRoom& one,
                     double enough, const Batch& whole);

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
  double cost_sizes(const BatchPlace& place, const AllowedSides& allowed, const Batch& whole);
  bool run_sizes(const BatchPlace& place, const AllowedSides& allowed, const Batch& whole, double cutoff,
                 Halves& halves, BlocksTime& time);
  bool run_halves(const BatchPlace& place, const AllowedSides& allowed, Batch& whole, double cutoff, Halves& halves,
                  BlocksTime& time);
  double shorter_half(const BatchPlace& place, const AllowedSides& allowed, const Batch& whole);
  double shortest_sequences(const BatchPlace& place, const AllowedSides& allowed, const Batch& whole, bool as_shortest);
  /// Costs and options of a part of the batch, which has its sequences.
  bool relax_channels(const BatchPlace& place, Batch& batch);
  std::vector<double> room_of_ways(const BatchPlace& place, const PimRoom& room, const Batch& whole) const;
  void cost_part(const BatchPlace& place, const AllowedSides& allowed, Halves::Half& part, BlockOptions& options);

  std::vector<BlockOptions> rows_;
  std::vector<OperatorRun> mean_runs_;
  std::vector<double> loads_;
  std::vector<workload::decoder::Sequences> sorted_;
  Halves::Half part_;
  /// Of the step of which batches are parts.
  bool has_prompts_ = false;
};

}  // namespace pimsweep::systems::llm
