#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "workload/operator.h"

namespace pimsweep::workload {

using OperatorId = std::size_t;

/// A network as a directed graph of operators; an edge carries a tensor from the operator that writes it to one that
/// reads it. All models become operator graphs, whatever their family or file format, and machines get their work from
/// them.
///
/// Graphs are made with GraphBuilder, which derives shapes, GEMMs and parameters, and are read in topological order:
///
///     GraphBuilder builder;
///     const OperatorId image = builder.input({224, 224, 3}, "image");
///     builder.convolution(image, 64, {.kernel = 7, .stride = 2, .padding = 3}, "conv1");
///     const OperatorGraph graph = builder.take();
///     for (const OperatorId id : graph.topological_order()) macs += graph.at(id).macs();
///
/// Counts are per image (or per sequence); a batch is the machine's concern. Operators are only added, never removed,
/// so ids are stable. The graph stores sizes only, neither weights nor values; defects() checks them for consistency.
/// It is movable but not copyable, and wraps Boost.Graph, which no other file includes.
class OperatorGraph {
 public:
  OperatorGraph();
  ~OperatorGraph();
  OperatorGraph(OperatorGraph&&) noexcept;
  OperatorGraph& operator=(OperatorGraph&&) noexcept;

  /// Makes room for this many operators.
  void reserve(std::size_t operators);
  /// Adds an operator that reads the outputs of `inputs`, in this order.
  OperatorId add(Operator node, std::span<const OperatorId> inputs);
  /// Adds one more input to `target`.
  void connect(OperatorId source, OperatorId target);

  /// Number of operators; ids are 0 to size() - 1.
  std::size_t size() const;
  /// Throws std::out_of_range if there is no such operator.
  const Operator& at(OperatorId id) const;
  /// All operators, each after its predecessors. Throws std::logic_error if the graph has a cycle.
  std::vector<OperatorId> topological_order() const;
  /// The operators that an operator reads, in the order of its inputs.
  std::vector<OperatorId> predecessors(OperatorId id) const;
  std::vector<OperatorId> successors(OperatorId id) const;
  /// The tensors that an operator reads, in the order of its inputs.
  std::vector<Tensor> inputs(OperatorId id) const;

  /// Number of learned values of all operators.
  std::int64_t parameters() const;
  /// Elements of all weight matrices and kernels: parameters without biases, normalization, position tables and idle
  /// experts.
  std::int64_t weights() const;
  /// Multiply-accumulates of GEMMs and convolutions; normalization, activation and bias are not counted.
  std::int64_t macs() const;
  /// Output elements of all operators.
  std::int64_t activations() const;

  /// One sentence per defect of the graph: a cycle, a name used twice, shapes that do not suit an operator. Empty for a
  /// valid graph.
  std::vector<std::string> defects() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace pimsweep::workload
