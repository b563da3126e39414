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

/// A directed graph of operators. An edge carries a tensor from the operator that writes it to one that reads it.
class OperatorGraph {
 public:
  OperatorGraph();
  ~OperatorGraph();
  OperatorGraph(OperatorGraph&&) noexcept;
  OperatorGraph& operator=(OperatorGraph&&) noexcept;

  /// Adds an operator that reads the outputs of `inputs`, in this order.
  OperatorId add(const Operator& node, std::span<const OperatorId> inputs);
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

  /// One sentence for each defect of the graph: a cycle, a name used twice, shapes that do not suit an operator. Empty
  /// for a sound graph.
  std::vector<std::string> defects() const;

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace pimsweep::workload
