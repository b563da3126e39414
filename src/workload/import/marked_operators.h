#pragma once

#include <cstddef>
#include <span>

#include "workload/import/importer.h"

namespace pimsweep::workload::import {

/// Whether each node of a file belongs to an operator that the file names, and the nodes of an operator follow one
/// another: so in files that `pimsweep model --onnx` wrote, as long as nothing else has changed them.
bool is_marked(const OnnxModel& model);

/// Number of nodes, from the first of `nodes` on, that belong to the same operator.
std::size_t operator_length(std::span<const OnnxNode> nodes);

/// Makes one operator of the drafts from `first` on, which are what its nodes became. The marks give what the nodes
/// cannot say (name, role, stage, block, the kind of what moves data, the extents without a batch); products, windows,
/// weights, parameters and inputs are those of the drafts. Throws Refusal if the marks do not suit the nodes.
void restore_operator(ImportState& state, std::span<const OnnxNode> nodes, DraftId first);

}  // namespace pimsweep::workload::import
