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

  /// The same if the memory of PIM is too small for all weights and KV caches: decides which blocks keep which of them
  /// there (schedule/chain_in_room.h). Runs are means over the blocks. Infinite if KV caches do not fit.
  StepInRoom run_one_in_room(const StepContext& context, const AllowedSides& allowed, const PimRoom& room,
                             Batch& whole);

  /// Lower bound of two batches that have their weights and KV caches in this room, by the prices of a byte around that
  /// of one batch. Both may use the same weights. Stops once the bound with the non-block layers reaches `enough`.
  double two_in_room(const StepContext& context, const AllowedSides& allowed, const PimRoom& room,
                     const StepInRoom& one, double enough, const Batch& whole);

  /// Returns true if two sub-batches of the step are faster than `cutoff` seconds; both have then run as in the fastest
  /// schedule found. Both have sequences that generate tokens; prompts are in the first one.
  ///
  /// For up to 512 sequences of equal lengths (64 with a prompt), all sizes and assignments are compared
  /// (schedule/two_batches.h). For more sequences, seven sizes are tried, and for different lengths NeuPIMs' halves;
  /// the bound is then that of the shortest sequences: of half of all sequences alone, since one of the sub-batches has
  /// at least as many, or of two sub-batches that both have the shortest. If nothing is faster, only the bound is set.
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
  /// True if the step that batches are parts of has prompts.
  bool has_prompts_ = false;
};

}  // namespace pimsweep::systems::llm::step
