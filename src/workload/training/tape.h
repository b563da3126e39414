#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "workload/training/operation_rules.h"
#include "workload/training/training_graph.h"

namespace pimsweep::workload::training {

/// An operation as it is recorded: what its gradient needs to know.
struct TapeOperation {
  OperationType type = OperationType::Const;
  std::string name;
  std::vector<ValueIndex> inputs;
  ValueIndex first_output = 0;
  std::uint32_t outputs = 0;
  OperationAttributes attributes;
};

/// Records operations one after the other, each with shapes that fit. Throws std::logic_error where they do not.
class Tape {
 public:
  /// Operations that follow are called "scope/Type".
  void enter(std::string scope) { scope_ = std::move(scope); }

  ValueIndex placeholder(const Shape& shape) { return add(OperationType::Placeholder, {}, shape); }
  ValueIndex constant(const Shape& shape) { return add(OperationType::Const, {}, shape); }
  /// A variable that the step changes: by training, or otherwise (slots of the optimizer, moving averages). The same
  /// scope and role are the same variable, as where a network is recorded twice.
  ValueIndex variable(std::string_view role, const Shape& shape, bool trainable);

  ValueIndex add(OperationType type, std::vector<ValueIndex> inputs, const Shape& output,
                 const OperationAttributes& attributes = {}) {
    return add_many(type, std::move(inputs), {&output, 1}, attributes);
  }
  /// The first of its outputs; the others follow.
  ValueIndex add_many(OperationType type, std::vector<ValueIndex> inputs, std::span<const Shape> outputs,
                      const OperationAttributes& attributes = {});
  /// One output of the shape of the first input.
  ValueIndex same(OperationType type, std::vector<ValueIndex> inputs);
  /// Element by element; the smaller input is spread over the larger.
  ValueIndex binary(OperationType type, ValueIndex a, ValueIndex b);
  ValueIndex reshape(ValueIndex x, const Shape& shape);
  ValueIndex matmul(ValueIndex a, ValueIndex b, bool transpose_first = false, bool transpose_second = false);
  /// Products of the matrices that the last two extents are.
  ValueIndex batch_matmul(ValueIndex a, ValueIndex b, bool transpose_first = false, bool transpose_second = false);
  /// Sum or Mean over the axes that make `x` a tensor of this shape.
  ValueIndex reduce(OperationType type, ValueIndex x, const Shape& shape);

  /// Values of one gradient function, which are computed together: whoever reads one waits for all.
  void tie(std::vector<ValueIndex> values) { ties_.push_back(std::move(values)); }

  const Shape& shape(ValueIndex value) const { return shapes_[value]; }
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
