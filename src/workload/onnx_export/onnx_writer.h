#pragma once

#include <string>

#include "workload/operator_graph.h"

namespace pimsweep::workload::onnx_export {

/// Writes a network as an ONNX file of operator set 17, with standard operators only. Weights and the indices of
/// gathers, which an operator graph does not contain, become inputs of the network. Images and maps have a batch of one
/// sample. Each node carries the mark of its operator (import/operator_mark.h), so that the importer restores the same
/// graph. Throws InputError that lists all operators that cannot be written.
std::string write_onnx(const OperatorGraph& graph, const std::string& model);

}  // namespace pimsweep::workload::onnx_export
