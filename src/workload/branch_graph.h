#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>

#include "workload/vision_transformer.h"

namespace pimsweep::workload {

/// Data that one branch sends to another in an interaction.
struct Handover {
  /// Elements of feature maps, keys, values or contexts.
  std::int64_t words = 0;
};

/// Branches of a block, numbered row by row over the map, and the data that they exchange (G_dp of Allspark, Sec. VII-A
/// and Figure 9). An edge leads from the branch that holds the data to the branch that needs it.
using BranchGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, boost::no_property, Handover>;

/// Data that each branch of these blocks needs from other branches; no edges if there is no interaction. Padding tokens
/// are not sent. Branch i sends to branch j, with C channels:
///
/// - shifted windows: the tokens of window i that are in shifted window j, C words each; on the way back, the edges are
/// reversed;
/// - shared keys: the keys and values of the share of branch i of the sub-sampled tokens, 2 C words per token;
/// - surroundings: the keys and values of the tokens of window i within `expand` of window j and, if window i is in the
/// focal region of window j, those of window i pooled to one token;
/// - crossed stripes: the tokens of horizontal stripe i that are in vertical stripe j, C words each, and afterwards the
/// contexts of as many tokens, C / 2 words each, from vertical stripe i to horizontal stripe j.
BranchGraph branch_dependencies(const TransformerStage& stage, const EncoderBlocks& blocks);

/// The transfers of one interaction. If every branch needs data of all others, the data travel around a ring in the
/// order of the branches, and each branch forwards what others still need (Allspark, caption of Figure 9). Otherwise
/// they are sent directly, and the graph is that of the dependencies.
BranchGraph branch_transfers(const TransformerStage& stage, const EncoderBlocks& blocks);

}  // namespace pimsweep::workload
