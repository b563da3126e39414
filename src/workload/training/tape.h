#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "workload/training/operands.h"
#include "workload/training/training_graph.h"

namespace pimsweep::workload::training {

/// A recorded operation, with the data that its gradient rule needs.
struct TapeOperation {
  OperationType type = OperationType::Const;
  std::string name;
  std::vector<ValueIndex> inputs;
  ValueIndex first_output = 0;
  std::uint32_t outputs = 0;
  OperationAttributes attributes;
};

/// Records operations in sequence. Throws std::logic_error if the shapes of an operation do not suit its type.
class Tape {
 public:
  /// Names subsequent operations "scope/Type".
  void enter(std::string scope) { scope_ = std::move(scope); }

  ValueIndex placeholder(const Shape& shape) { return add(OperationType::Placeholder, {}, shape); }
  ValueIndex constant(const Shape& shape) { return add(OperationType::Const, {}, shape); }
  /// A variable that the step changes: a trainable one, or a slot of the optimizer or a moving average. The same scope
  /// and role denote the same variable, so that a network can be recorded twice.
  ValueIndex variable(std::string_view role, const Shape& shape, bool trainable);

  ValueIndex add(OperationType type, std::vector<ValueIndex> inputs, const Shape& output,
                 const OperationAttributes& attributes = {}) {
    return add_many(type, std::move(inputs), {&output, 1}, attributes);
  }
  /// Returns the first output; the others follow it.
  ValueIndex add_many(OperationType type, std::vector<ValueIndex> inputs, std::span<const Shape> outputs,
                      const OperationAttributes& attributes = {});
  /// An operation with one output, which has the shape of the first input.
  ValueIndex same(OperationType type, std::vector<ValueIndex> inputs);
  /// An element-wise operation on two inputs, which are broadcast to one shape.
  ValueIndex binary(OperationType type, ValueIndex a, ValueIndex b);
  ValueIndex reshape(ValueIndex x, const Shape& shape);
  ValueIndex matmul(ValueIndex a, ValueIndex b, bool transpose_first = false, bool transpose_second = false);
  /// A batched GEMM; the matrices are the last two extents.
  ValueIndex batch_matmul(ValueIndex a, ValueIndex b, bool transpose_first = false, bool transpose_second = false);
  /// Sum or Mean over the axes that reduce the shape of `x` to `shape`.
  ValueIndex reduce(OperationType type, ValueIndex x, const Shape& shape);

  /// Ties values together: an operation that reads one of them waits for all.
  void tie(std::vector<ValueIndex> values) { ties_.push_back(std::move(values)); }

  /// Returns a copy, because recording another operation reallocates the shapes.
  Shape shape(ValueIndex value) const { return shapes_[value]; }
  std::size_t values() const { return shapes_.size(); }
  const std::vector<TapeOperation>& operations() const { return operations_; }
  std::size_t producer(ValueIndex value) const { return producers_[value]; }
  const std::vector<ValueIndex>& trainable() const { return trainable_; }
  const std::vector<std::vector<ValueIndex>>& ties() const { return ties_; }
  const std::string& scope() const { return scope_; }

 private:
  std::string scope_;
  std::vector<TapeOperation> operations_;
  std::vector<Shape> shapes_;
  std::vector<std::size_t> producers_;
  std::vector<ValueIndex> trainable_;
  std::vector<std::vector<ValueIndex>> ties_;
  std::unordered_map<std::string, int> uses_;
  std::unordered_map<std::string, ValueIndex> variables_;
};

}  // namespace pimsweep::workload::training
