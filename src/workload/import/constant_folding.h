#pragma once

#include "workload/import/importer.h"

namespace pimsweep::workload::import {

/// Computes the elements of a node's outputs if all inputs are known and small, as in the shape arithmetic that
/// exporters write into a file. Elements stay unknown for node types that do not occur in such arithmetic. The node's
/// rule must have set the shapes of its outputs before.
void fold_constants(NodeCall& call);

}  // namespace pimsweep::workload::import
