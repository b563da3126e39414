#pragma once
// Placeholder: the operator graph of the workload room (Boost.Graph).
namespace pimsweep::workload {
class OperatorGraph {};
}  // namespace pimsweep::workload
