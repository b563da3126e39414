#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "workload/operator_graph.h"

namespace pimsweep::workload {

/// All of an operator and the operators that it reads, as one line.
inline std::string operator_line(const OperatorGraph& graph, OperatorId id) {
  const Operator& op = graph.at(id);
  const MatrixProduct& p = op.product;
  const ConvolutionWindow& w = op.window;
  return fmt::format("{} {} {} {}.{} {} {}x{}x{}x{} {}x{} {} {} {} {} {} {} from {}", name_of(op.kind), op.name,
                     op.role, op.stage, op.block, fmt::join(op.output.shape, "x"), p.batch, p.rows, p.inner, p.columns,
                     w.kernel.height, w.kernel.width, w.stride, w.padding.height, w.groups, op.weights,
                     op.shares_weights, op.parameters, fmt::join(graph.predecessors(id), ","));
}

inline std::vector<std::string> lines_of(const OperatorGraph& graph) {
  std::vector<std::string> lines;
  for (OperatorId id = 0; id < graph.size(); ++id) lines.push_back(operator_line(graph, id));
  return lines;
}

}  // namespace pimsweep::workload
