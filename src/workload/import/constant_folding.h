#pragma once

#include "workload/import/importer.h"

namespace pimsweep::workload::import {

/// Computes the elements of a node's first output, where all inputs are known and few, as in the arithmetic that
/// exporters make of shapes. Leaves them unknown where the type of the node is no part of such arithmetic. The rule of
/// the node has given the output its shape.
void fold_constants(NodeCall& call);

}  // namespace pimsweep::workload::import
