#pragma once

#include "workload/import/draft.h"

namespace pimsweep::workload::import {

/// Merges elementary operators into the ones that exporters decompose: biases, GELU and SiLU, layer normalization, and
/// reshapes that only change the view of a GEMM's factors.
void fuse(DraftGraph& drafts);

/// Gives the operators of attention the roles of the model families: "q", "k", "v", "scores", "softmax", "context" and
/// "projection"; "qkv" for a linear operator that computes queries, keys and values together.
void name_attention(DraftGraph& drafts);

}  // namespace pimsweep::workload::import
