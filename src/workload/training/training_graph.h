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

/// Extents of a tensor, outermost first. Feature maps are {batch, height, width, channels}, filters are {height, width,
/// input channels, output channels}; a scalar has no extents. Four extents are the maximum.
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

/// Arithmetic of an operation, counted in elementary operations. `others` are operations that multipliers and adders
/// cannot do: comparisons, divisions, roots, exponentials and random numbers.
struct Work {
  std::int64_t multiplications = 0;
  std::int64_t additions = 0;
  std::int64_t others = 0;

  std::int64_t total() const { return multiplications + additions + others; }
  friend bool operator==(const Work&, const Work&) = default;
};

using OperationIndex = std::uint32_t;
using ValueIndex = std::uint32_t;

/// All values are 32-bit numbers.
constexpr std::int64_t value_bytes = 4;

/// A tensor and the operation that writes it.
struct TrainingValue {
  OperationIndex producer = 0;
  Shape shape;

  std::int64_t bytes() const { return value_bytes * shape.elements(); }
};

/// One operation. The graph holds its inputs, outputs and dependencies in flat tables.
struct TrainingOperation {
  OperationType type = OperationType::Const;
  std::uint32_t first_input = 0;
  std::uint32_t inputs = 0;
  /// The outputs have consecutive indices.
  ValueIndex first_output = 0;
  std::uint32_t outputs = 0;
  Work work;
  /// Memory traffic without a cache: every input is read once and every output is written once.
  std::int64_t bytes_read = 0;
  std::int64_t bytes_written = 0;
  /// The part of bytes_read that belongs to variables.
  std::int64_t parameter_bytes = 0;
};

/// One training step at the granularity of TensorFlow's operations. Every operation comes after those that it waits
/// for. The graph is immutable and flat, so that a scheduler can traverse thousands of operations in a millisecond.
class TrainingGraph {
 public:
  std::size_t size() const { return operations_.size(); }
  const std::vector<TrainingOperation>& operations() const { return operations_; }
  const TrainingOperation& at(OperationIndex operation) const { return operations_[operation]; }
  const std::string& name(OperationIndex operation) const { return names_[operation]; }
  const std::vector<TrainingValue>& values() const { return values_; }

  std::span<const ValueIndex> inputs(OperationIndex operation) const;
  /// Operations that must end before this one can start, in ascending order without repetition: the producers of its
  /// inputs and, for an update in place, all readers of the variable. All have smaller indices.
  std::span<const OperationIndex> predecessors(OperationIndex operation) const;
  /// Operations that wait for this one, in ascending order.
  std::span<const OperationIndex> successors(OperationIndex operation) const;

  /// Number of operations of a type.
  std::size_t count(OperationType type) const;
  /// Number of trainable values.
  std::int64_t parameters() const { return parameters_; }
  Work work() const;

 private:
  friend class TrainingGraphBuilder;

  std::vector<TrainingOperation> operations_;
  std::vector<std::string> names_;
  std::vector<TrainingValue> values_;
  std::vector<ValueIndex> inputs_;
  /// The predecessors of operation i are those from begin[i] to begin[i + 1]; the same holds for successors.
  std::vector<std::uint32_t> predecessor_begin_;
  std::vector<OperationIndex> predecessors_;
  std::vector<std::uint32_t> successor_begin_;
  std::vector<OperationIndex> successors_;
  std::int64_t parameters_ = 0;
};

/// Builds a training graph operation by operation.
class TrainingGraphBuilder {
 public:
  /// Adds an operation and returns the index of its first output. Inputs are outputs of earlier operations; `after`
  /// lists further operations to wait for.
  ValueIndex add(TrainingOperation operation, std::string name, std::span<const ValueIndex> inputs,
                 std::span<const Shape> outputs, std::span<const OperationIndex> after);
  TrainingGraph finish(std::int64_t parameters);

 private:
  TrainingGraph graph_;
};

}  // namespace pimsweep::workload::training
