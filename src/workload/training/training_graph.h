#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "workload/training/operation_type.h"

namespace pimsweep::workload::training {

/// Extents of a batch's tensor, outermost first: maps are {batch, height, width, channels}, filters {height, width,
/// input channels, output channels}; a scalar has none.
class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> extents);

  std::size_t rank() const { return rank_; }
  std::int64_t operator[](std::size_t axis) const { return extents_[axis]; }
  std::int64_t& extent(std::size_t axis) { return extents_[axis]; }
  /// The innermost extent; 1 for a scalar.
  std::int64_t last() const { return rank_ == 0 ? 1 : extents_[rank_ - 1]; }
  std::int64_t elements() const;
  /// "(32,17,17,384)".
  std::string text() const;
  friend bool operator==(const Shape&, const Shape&) = default;

 private:
  std::array<std::int64_t, 4> extents_{};
  std::uint32_t rank_ = 0;
};

/// Arithmetic of an operation, in elementary operations. `others` are comparisons, divisions, roots, exponentials and
/// random numbers: what a multiplier and an adder cannot do.
struct Work {
  std::int64_t multiplications = 0;
  std::int64_t additions = 0;
  std::int64_t others = 0;

  std::int64_t total() const { return multiplications + additions + others; }
  friend bool operator==(const Work&, const Work&) = default;
};

using OperationIndex = std::uint32_t;
using ValueIndex = std::uint32_t;

/// A tensor of 32-bit numbers, written by one operation.
struct TrainingValue {
  OperationIndex producer = 0;
  Shape shape;

  std::int64_t bytes() const { return 4 * shape.elements(); }
};

/// One operation instance. Its inputs, outputs and dependencies stand in the graph's flat tables.
struct TrainingOperation {
  OperationType type = OperationType::Const;
  std::uint32_t first_input = 0;
  std::uint32_t inputs = 0;
  /// Its outputs have consecutive indices.
  ValueIndex first_output = 0;
  std::uint32_t outputs = 0;
  Work work;
  /// Memory traffic where nothing stays in a cache: every input read and every output written once.
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  /// The part of bytes_read that are variables.
  std::int64_t parameter_bytes = 0;
};

/// One training step at the granularity of TensorFlow's operations: every operation after those that it waits for.
/// Immutable and flat, so that a scheduler can run over thousands of instances in a millisecond.
class TrainingGraph {
 public:
  std::size_t size() const { return operations_.size(); }
  const std::vector<TrainingOperation>& operations() const { return operations_; }
  const TrainingOperation& at(OperationIndex operation) const { return operations_[operation]; }
  const std::string& name(OperationIndex operation) const { return names_[operation]; }
  const std::vector<TrainingValue>& values() const { return values_; }

  std::span<const ValueIndex> inputs(OperationIndex operation) const;
  /// What must end before the operation can begin, each once, ascending: the producers of its inputs and, for an update
  /// in place, all readers of the variable. All have smaller indices.
  std::span<const OperationIndex> predecessors(OperationIndex operation) const;
  /// Those that wait for it, ascending.
  std::span<const OperationIndex> successors(OperationIndex operation) const;

  /// How many operations of a type there are.
  std::size_t count(OperationType type) const;
  /// Trainable values.
  std::int64_t parameters() const { return parameters_; }
  Work work() const;

 private:
  friend class TrainingGraphBuilder;

  std::vector<TrainingOperation> operations_;
  std::vector<std::string> names_;
  std::vector<TrainingValue> values_;
  std::vector<ValueIndex> inputs_;
  /// Of operation i: from begin[i] to begin[i + 1].
  std::vector<std::uint32_t> predecessor_begin_;
  std::vector<OperationIndex> predecessors_;
  std::vector<std::uint32_t> successor_begin_;
  std::vector<OperationIndex> successors_;
  std::int64_t parameters_ = 0;
};

/// Puts a training graph together, operation by operation, and ties it up.
class TrainingGraphBuilder {
 public:
  /// The index of its first output. Inputs are outputs of earlier operations; `after` are further operations to wait
  /// for.
  ValueIndex add(TrainingOperation operation, std::string name, std::span<const ValueIndex> inputs,
                 std::span<const Shape> outputs, std::span<const OperationIndex> after);
  TrainingGraph finish(std::int64_t parameters);

 private:
  TrainingGraph graph_;
};

}  // namespace pimsweep::workload::training
