#pragma once

#include <string>
#include <vector>

#include "workload/operator_graph.h"

namespace pimsweep::workload {

/// What is wrong with an operator that reads `inputs`, as the end of a sentence ("has an output ..."); empty for a
/// sound operator.
std::string operator_defect(const Operator& node, const std::vector<Tensor>& inputs);

}  // namespace pimsweep::workload
