#pragma once

#include <cstddef>
#include <vector>

#include "systems/llm/step/batch.h"
#include "systems/llm/step/options.h"
#include "systems/llm/step/sub_batches.h"

namespace pimsweep::systems::llm::step {

/// Seconds of all blocks of a step.
struct BlocksTime {
  double seconds = 0;
  /// Lower bound of all schedules.
  double lower_bound = 0;
};

/// Memory of PIM for all layers of a model, in bytes beside one GPU of each stage together.
struct PimRoom {
  double bytes = 0;
  /// KV cache of all blocks, which attention on PIM needs there.
  double caches = 0;
};

/// A step in which the blocks need not be alike: seconds of all layers.
struct StepInRoom {
  double seconds = 0;
  double lower_bound = 0;
  /// Minimum of the non-block layers.
  double min_outside = 0;
  /// Bytes of weights in the memory of PIM.
  double pim_weights = 0;
  /// Seconds that one more byte of room gains.
  double price = 0;
  bool has_equal_blocks = true;
};

/// Looks for the fastest schedule of a step's blocks: of one batch, each operator on the GPU, on PIM or on both, with
/// heads in a pipeline; or of two batches that share GPU, PIM and link. Keeps its memory.
class OptimumFinder {
 public:
  /// Lets the whole batch run as fast as one batch can (schedule/chain.h): exact.
  BlocksTime run_one(const StepContext& context, const AllowedSides& allowed, Batch& whole);

  /// The same where the memory of PIM has no room for all that may be there: which blocks have which weights and KV
  /// caches in it (schedule/chain_in_room.h). Runs are means over the blocks. Infinite if KV caches find no room.
  StepInRoom run_one_in_room(const StepContext& context, const AllowedSides& allowed, const PimRoom& room,
                             Batch& whole);

  /// Lower bound of two batches that have their weights and KV caches in this room, by the prices of a byte around that
  /// of one batch. Both may use the same weights. Stops once the bound with the non-block layers reaches `enough`.
  double two_in_room(const StepContext& context, const AllowedSides& allowed, const PimRoom& room,
                     const StepInRoom& one, double enough, const Batch& whole);

  /// Whether two batches of the step are faster than `cutoff` seconds. If so, both have run as in the fastest schedule
  /// that was found. Both have sequences that generate; prompts are in the first one.
  ///
  /// Of sequences of equal lengths all sizes and ways are compared (schedule/two_batches.h): up to 512 of them, or up
  /// to 64 beside a prompt. Of more, seven sizes are, and of different lengths NeuPIMs' halves; then the bound is that
  /// of the shortest sequences: of half of all sequences alone, since one of the batches has as many, or of two batches
  /// that both have the shortest. Only the bound is set where nothing is faster.
  bool run_two(const StepContext& context, const AllowedSides& allowed, Batch& whole, double cutoff, SubBatches& halves,
               BlocksTime& time);

 private:
  double cost_sizes(const StepContext& context, const AllowedSides& allowed, const Batch& whole);
  bool run_sizes(const StepContext& context, const AllowedSides& allowed, const Batch& whole, double cutoff,
                 SubBatches& halves, BlocksTime& time);
  bool run_halves(const StepContext& context, const AllowedSides& allowed, Batch& whole, double cutoff,
                  SubBatches& halves, BlocksTime& time);
  double shorter_half(const StepContext& context, const AllowedSides& allowed, const Batch& whole);
  double shortest_sequences(const StepContext& context, const AllowedSides& allowed, const Batch& whole,
                            bool as_shortest);
  /// Costs and options of a part of the batch, which has its sequences.
  bool relax_channels(const StepContext& context, Batch& batch);
  std::vector<double> room_of_ways(const StepContext& context, const PimRoom& room, const Batch& whole) const;
  void cost_part(const StepContext& context, const AllowedSides& allowed, SubBatches::Part& part,
                 BlockOptions& options);

  std::vector<BlockOptions> rows_;
  std::vector<OperatorRun> mean_runs_;
  std::vector<double> loads_;
  std::vector<workload::decoder::Sequences> sorted_;
  SubBatches::Part part_;
  /// Whether the step of which batches are parts has prompts.
  bool has_prompts_ = false;
};

}  // namespace pimsweep::systems::llm::step
