#pragma once

#include <cstddef>
#include <span>

#include "workload/import/importer.h"

namespace pimsweep::workload::import {

/// True if each node of a file is marked as part of an operator and the nodes of an operator are consecutive. This
/// holds for files that `pimsweep model --onnx` wrote and no other tool has changed.
bool is_marked(const OnnxModel& model);

/// Number of leading nodes that belong to the same operator as the first.
std::size_t operator_length(std::span<const OnnxNode> nodes);

/// Replaces the drafts from `first` on, which were made from `nodes`, by one operator. Its mark supplies what nodes
/// cannot express (name, role, stage, block, kind of a data movement, extents without a batch); GEMM, window, weights,
/// parameters and inputs come from the drafts. Throws Refusal if mark and nodes contradict each other.
void restore_operator(ImportState& state, std::span<const OnnxNode> nodes, DraftId first);

}  // namespace pimsweep::workload::import
