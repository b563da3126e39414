#include <algorithm>
#include <optional>
#include <string_view>

#include "workload/import/fusion.h"

namespace pimsweep::workload::import {

namespace {

using Kind = OperatorKind;

/// Longest path within one attention block; a longer one leaves the block.
constexpr int max_steps = 12;

bool moves_data(OperatorKind kind) {
  return kind == Kind::reshape || kind == Kind::slice || kind == Kind::gather || kind == Kind::concat ||
         kind == Kind::roll || kind == Kind::pad || kind == Kind::crop || kind == Kind::embedding;
}

/// Follows first inputs as long as `passes` holds, to the first draft of `kind`.
template <typename Passes>
std::optional<DraftId> source_of(const DraftGraph& drafts, DraftId id, OperatorKind kind, Passes passes) {
  for (int step = 0; step < max_steps; ++step) {
    if (drafts.node(id).kind == kind) return id;
    if (!passes(drafts.node(id).kind) || drafts[id].inputs.empty()) return std::nullopt;
    id = drafts[id].inputs.front();
  }
  return std::nullopt;
}

/// Follows only readers while they move data, to the first draft of some kind.
std::optional<DraftId> reader_of(const DraftGraph& drafts, DraftId id, OperatorKind kind) {
  for (int step = 0; step < max_steps && drafts.has_one_reader(id); ++step) {
    id = drafts[id].readers.front();
    if (drafts.node(id).kind == kind) return id;
    if (!moves_data(drafts.node(id).kind) && drafts.node(id).kind != Kind::activation) return std::nullopt;
  }
  return std::nullopt;
}

/// Names the linear operator that makes one of queries, keys and values, or all three.
void name_projection(DraftGraph& drafts, DraftId from, std::string_view role) {
  const auto passes = [](OperatorKind kind) {
    return moves_data(kind) || kind == Kind::activation || kind == Kind::layer_norm || kind == Kind::add ||
           kind == Kind::multiply;
  };
  const auto source = source_of(drafts, from, Kind::linear, passes);
  if (!source) return;
  std::string& name = drafts.node(*source).role;
  if (name == "linear") {
    name = role;
  } else if (name != role && (name == "q" || name == "k" || name == "v")) {
    name = "qkv";
  }
}

/// The attention around a softmax, if it is one.
void name_around(DraftGraph& drafts, DraftId softmax_id) {
  const auto between = [](OperatorKind kind) {
    return kind == Kind::add || kind == Kind::activation || kind == Kind::reshape || kind == Kind::gather;
  };
  const auto scores = source_of(drafts, drafts[softmax_id].inputs.front(), Kind::matmul, between);
  const auto context = reader_of(drafts, softmax_id, Kind::matmul);
  if (!scores || !context || drafts[*scores].inputs.size() != 2 || drafts[*context].inputs.size() != 2) return;
  drafts.node(*scores).role = "scores";
  drafts.node(*context).role = "context";
  name_projection(drafts, drafts[*scores].inputs[0], "q");
  name_projection(drafts, drafts[*scores].inputs[1], "k");
  name_projection(drafts, drafts[*context].inputs[1], "v");
  if (const auto projection = reader_of(drafts, *context, Kind::linear)) drafts.node(*projection).role = "projection";
}

/// The two layers of a feed-forward block of a Transformer.
void name_feed_forward(DraftGraph& drafts, DraftId function) {
  const std::string& role = drafts.node(function).role;
  if (role != "gelu" && role != "silu") return;
  const DraftId first = drafts[function].inputs.front();
  const auto second = reader_of(drafts, function, Kind::linear);
  if (!second || drafts.node(first).role != "linear" || drafts.node(*second).role != "linear") return;
  drafts.node(first).role = "fc1";
  drafts.node(*second).role = "fc2";
}

}  // namespace

void name_attention(DraftGraph& drafts) {
  for (DraftId id = 0; id < drafts.size(); ++id) {
    if (drafts[id].removed) continue;
    if (drafts.node(id).kind == Kind::softmax) name_around(drafts, id);
    if (drafts.node(id).kind == Kind::activation) name_feed_forward(drafts, id);
  }
}

}  // namespace pimsweep::workload::import
