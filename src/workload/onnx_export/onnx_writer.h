#pragma once

#include <string>

#include "workload/operator_graph.h"

namespace pimsweep::workload::onnx_export {

/// A network as an ONNX file of operator set 17, in standard operators only. What an operator graph does not hold is an
/// input of the network without values: weights, and the indices of what is gathered. Images and maps have a batch of
/// one sample. Each node carries the mark of its operator (import/operator_mark.h), so that the importer makes the same
/// graph of it. Throws InputError that lists all operators that cannot be written.
std::string write_onnx(const OperatorGraph& graph, const std::string& model);

}  // namespace pimsweep::workload::onnx_export
