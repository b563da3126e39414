#pragma once

#include "workload/import/draft.h"

namespace pimsweep::workload::import {

/// Merges what exporters spell out in elementary operators: biases, GELU and SiLU, layer normalization, and reshapes
/// that only change how a matrix product sees its factors.
void fuse(DraftGraph& drafts);

/// Gives the operators of attention the roles that the families of models use: "q", "k", "v", "scores", "softmax",
/// "context", "projection"; and "qkv" to a linear operator that makes queries, keys and values in one.
void name_attention(DraftGraph& drafts);

}  // namespace pimsweep::workload::import
