#pragma once

#include <cstdint>

#include "systems/system.h"
#include "workload/vision_transformer.h"

namespace pimsweep::systems::allspark {

/// The part of a branch that a node holds: p patches x q columns in b heads of d columns.
struct Slice {
  std::int64_t patches = 0;     ///< p
  std::int64_t kv_patches = 0;  ///< patches for which it computes keys and values
  std::int64_t heads = 0;       ///< b
  std::int64_t head_width = 0;  ///< d
  std::int64_t columns = 0;     ///< q = b d
  std::int64_t hidden = 0;      ///< a1 q, columns of the hidden layer of the feed-forward network
};

/// Words of workspace of one node while a block of this kind runs: the largest over the phases (V^dyn of Eq. 5; the
/// paper names phases 2, 6 and 8 but prints no formula, docs/allspark.md derives these). `gathered` says that the
/// running phase's weights are collected from other nodes and take room.
std::int64_t workspace_words(const workload::TransformerStage& stage, const workload::EncoderBlocks& blocks,
                             const Slice& slice, std::int64_t batch, bool gathered, Explanation::Section* notes);

}  // namespace pimsweep::systems::allspark
