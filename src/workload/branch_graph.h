#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <cstdint>

#include "workload/vision_transformer.h"

namespace pimsweep::workload {

/// What one branch hands to another in one interaction.
struct Handover {
  /// Elements of feature maps, keys, values or contexts.
  std::int64_t words = 0;
};

/// Branches of a block, numbered row by row over the map, and what they hand to each other (G_dp of Allspark,
/// Sec. VII-A and Figure 9): an edge from the branch that has the data to the one that needs it.
using BranchGraph =
    boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, boost::no_property, Handover>;

/// Which data of which branches each branch of these blocks needs; no edges where there is no interaction. Tokens that
/// only pad the map are not handed over.
///
/// - shifted windows: the tokens of window i that lie in shifted window j, C words each; on the way back the edges
/// turn;
/// - shared keys: the keys and values of branch i's share of the sub-sampled tokens, 2 C words each;
/// - surroundings: keys and values of the tokens of window i within `expand` of window j, and of window i pooled, if it
///   is in j's focal region;
/// - crossed stripes: the tokens of horizontal stripe i in vertical stripe j, C words each, and as many tokens'
/// contexts
///   of C / 2 words that go the same way afterwards, from vertical stripe i to horizontal stripe j.
BranchGraph branch_dependencies(const TransformerStage& stage, const EncoderBlocks& blocks);

/// How the data goes in one interaction. Where every branch needs data of all others it goes round a ring, in the order
/// of the branches, each of them passing on what others still need (Allspark, caption of Figure 9); otherwise directly,
/// and the graph is that of the dependencies.
BranchGraph branch_transfers(const TransformerStage& stage, const EncoderBlocks& blocks);

}  // namespace pimsweep::workload
