#pragma once

#include <cstdint>
#include <vector>

#include "systems/allspark/machine.h"
#include "systems/allspark/partition.h"
#include "systems/allspark/time_ledger.h"
#include "systems/system.h"
#include "workload/vision_transformer.h"

namespace pimsweep::systems::allspark {

/// The split of a scheme u x v that divides weights among nodes that do not share them: u, or v, which brings Table
/// VI's third row nearer (docs/allspark.md).
enum class UnsharedSplit : std::uint8_t { head, patch };

/// Closed-form costs, or simulated routers and DRAM banks.
enum class Fidelity : std::uint8_t { analytic, cycle };
/// The rates of DRAM and links in formulas.
enum class Rates : std::uint8_t { peak, sustained };

/// The conditions, besides stage and machine, on which the cost of a partition depends.
struct Conditions {
  /// Samples processed together (N_bt of Eq. 12).
  std::int64_t batch = 1;
  /// True if the nodes of a patch split store a part of their common weights each (Sec. VI-C).
  bool weight_sharing = true;
  UnsharedSplit unshared_split = UnsharedSplit::head;
  Rates rates = Rates::peak;
  Fidelity fidelity = Fidelity::analytic;
  friend bool operator==(const Conditions&, const Conditions&) = default;
};

/// The cost of one temporal layer with a partition.
struct PartitionCost {
  Partition partition;
  /// Branches that a layer holds (Algorithm 1); 0 if the sub-array does not fit.
  std::int64_t capacity = 0;
  /// Cycles for all blocks of the stage and the whole batch, patch merging included (Eq. 12-15).
  TimeShares time;
  /// Words that an active node moves, for all blocks and the batch.
  WordVolume volume;
  /// Bytes on each node for the weights of all blocks of the stage (Eq. 11).
  std::int64_t weight_bytes = 0;
  /// Bytes on each node for the weights of patch merging, which Eq. (5) leaves out.
  std::int64_t merging_bytes = 0;
  /// Bytes on each node for activations and gathered weights in the phase with the largest workspace (V^dyn of Eq. 5).
  std::int64_t workspace_bytes = 0;
};

/// The phases of one block of a kind for one sample or, with `blocks` null, of patch merging, once in a stage.
struct BlockPhases {
  const workload::EncoderBlocks* blocks = nullptr;
  std::vector<Phase> phases;
};

/// Words of the matrix weights of all blocks of a stage: (4 + 2 a1) C^2 a block, and R^2 C^2 where a strided
/// convolution sub-samples keys and values. Sec. V-C has 12 C^2 for a1 = 4.
std::int64_t weight_words(const workload::TransformerStage& stage);

/// Words of the projection at a stage's entry; 0 in the first stage, whose patch embedding the paper leaves out.
std::int64_t merging_words(const workload::TransformerStage& stage, bool first);

/// Tokens of the stage's largest branch: they set the patch splits.
std::int64_t max_tokens(const workload::TransformerStage& stage);

/// Branches of the stage: the largest number among its kinds of blocks.
std::int64_t branch_count(const workload::TransformerStage& stage);

/// Costs a partition of a stage (Sec. V-B, V-C, VI; every formula with its number is in docs/allspark.md). With
/// `phases`, that model times GEMMs and movements; without it they run at peak rates. Every intermediate quantity is
/// noted in `notes`, and every phase in `timeline`, if these are not null.
PartitionCost partition_cost(const workload::TransformerStage& stage, bool first, const Partition& partition,
                             const Conditions& conditions, const Machine& machine, GemmCache& gemms,
                             cycle::PhaseTimes* phases = nullptr, Explanation* notes = nullptr,
                             std::vector<BlockPhases>* timeline = nullptr);

}  // namespace pimsweep::systems::allspark
