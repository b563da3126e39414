#include "workload/training/assembly.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/downward.h"
#include "workload/training/operation_table.h"

namespace pimsweep::workload::training {

namespace {

using enum OperationType;

/// True if MKL runs a recorded operation on blocked tensors.
bool runs_blocked(const Tape& tape, const TapeOperation& operation) {
  switch (operation_info(operation.type).layout) {
    case MklLayout::never:
      return false;
    case MklLayout::always:
    case MklLayout::element_wise:
      return true;
    case MklLayout::two_inputs:
      return operation.inputs.size() == 2;
    case MklLayout::after_convolution:
      return tape.operations()[tape.producer(operation.inputs[0])].type == Conv2D;
  }
  return false;
}

/// Operations that run: the updates, the loss, and all their predecessors.
std::vector<bool> needed_operations(const Tape& tape, ValueIndex loss, const std::vector<std::size_t>& tie_of) {
  const std::vector<TapeOperation>& operations = tape.operations();
  std::vector<bool> needed(operations.size(), false);
  needed[tape.producer(loss)] = true;
  // Going backward, all readers of tied values are seen before the operations that produce the values.
  for (const std::size_t i : downward(operations.size())) {
    const TapeOperation& operation = operations[i];
    if (is_update(operation.type)) needed[i] = true;
    for (std::uint32_t output = 0; !needed[i] && output < operation.outputs; ++output) {
      const std::size_t tie = tie_of[operation.first_output + output];
      if (tie == tape.ties().size()) continue;
      const std::vector<ValueIndex>& values = tape.ties()[tie];
      needed[i] = std::any_of(values.begin(), values.end(), [&](ValueIndex v) { return needed[tape.producer(v)]; });
    }
    if (!needed[i]) continue;
    for (const ValueIndex input : operation.inputs) needed[tape.producer(input)] = true;
  }
  return needed;
}

class Assembly {
 public:
  Assembly(const Tape& tape, Layout layout)
      : tape_(tape), layout_(layout), tie_of_(tape.values(), tape.ties().size()), placed_(tape.values()) {
    for (std::size_t tie = 0; tie < tape.ties().size(); ++tie) {
      for (const ValueIndex value : tape.ties()[tie]) tie_of_[value] = tie;
    }
  }

  TrainingGraph run(ValueIndex loss) {
    const std::vector<bool> needed = needed_operations(tape_, loss, tie_of_);
    for (std::size_t i = 0; i < needed.size(); ++i) {
      if (needed[i]) place(i);
    }
    std::int64_t parameters = 0;
    for (const ValueIndex variable : tape_.trainable()) parameters += tape_.shape(variable).elements();
    return builder_.finish(parameters);
  }

 private:
  /// A recorded value in the graph.
  struct Placed {
    ValueIndex value = 0;
    OperationIndex producer = 0;
    /// The producer runs in MKL; the value is in MKL's blocked layout.
    bool by_mkl = false;
    bool blocked = false;
    /// The copy in TensorFlow's layout, once an operation has needed it.
    std::optional<ValueIndex> converted;
    /// For a variable: the operations that read it.
    std::vector<OperationIndex> readers;
  };

  void place(std::size_t index) {
    const TapeOperation& recorded = tape_.operations()[index];
    const bool mkl = layout_ == Layout::mkl && runs_blocked(tape_, recorded);
    std::vector<ValueIndex> inputs;
    for (const ValueIndex input : recorded.inputs) inputs.push_back(mkl ? placed_[input].value : unblocked(input));
    bool blocked = mkl && recorded.type != Reshape && tape_.shape(recorded.first_output).rank() == 4;
    if (mkl && operation_info(recorded.type).layout == MklLayout::element_wise) {
      blocked = convert_inputs(recorded, inputs);
    }
    std::vector<Shape> written;
    for (std::uint32_t i = 0; i < recorded.outputs; ++i) written.push_back(tape_.shape(recorded.first_output + i));
    const ValueIndex first = add(counted(recorded, written), recorded.name, inputs, written, waits(index));
    for (std::uint32_t i = 0; i < recorded.outputs; ++i) {
      placed_[recorded.first_output + i] = {first + i, operations_ - 1, mkl, blocked, {}, {}};
    }
    note_readers(recorded);
  }

  /// The operation with its arithmetic and its traffic.
  TrainingOperation counted(const TapeOperation& recorded, const std::vector<Shape>& written) const {
    std::vector<Shape> read;
    for (const ValueIndex input : recorded.inputs) read.push_back(tape_.shape(input));
    const OperationInfo& info = operation_info(recorded.type);
    const Operands operands{recorded.type, read, written, recorded.attributes};
    const Traffic traffic = info.traffic(operands);
    TrainingOperation operation;
    operation.type = recorded.type;
    operation.work = info.work(operands);
    operation.bytes_read = value_bytes * traffic.read;
    operation.bytes_written = value_bytes * traffic.written;
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (is_variable(recorded.inputs[i])) operation.parameter_bytes += value_bytes * info.variable(operands, i);
    }
    return operation;
  }

  /// Records that the operation just added reads the variables among the inputs of `recorded`.
  void note_readers(const TapeOperation& recorded) {
    for (const ValueIndex input : recorded.inputs) {
      if (is_variable(input)) placed_[input].readers.push_back(operations_ - 1);
    }
  }

  bool is_variable(ValueIndex value) const { return tape_.operations()[tape_.producer(value)].type == VariableV2; }

  /// Operations to wait for in addition to the producers of the inputs.
  std::vector<OperationIndex> waits(std::size_t index) const {
    const TapeOperation& recorded = tape_.operations()[index];
    std::vector<OperationIndex> after;
    if (is_update(recorded.type)) after = placed_[recorded.inputs[0]].readers;
    for (const ValueIndex input : recorded.inputs) {
      const std::size_t tie = tie_of_[input];
      if (tie == tape_.ties().size()) continue;
      const std::vector<ValueIndex>& values = tape_.ties()[tie];
      // The producers of tied values do not wait for each other.
      const bool reader =
          std::all_of(values.begin(), values.end(), [&](ValueIndex v) { return tape_.producer(v) < index; });
      for (std::size_t i = 0; reader && i < values.size(); ++i) after.push_back(placed_[values[i]].producer);
    }
    return after;
  }

  /// A value in TensorFlow's layout.
  ValueIndex unblocked(ValueIndex value) {
    Placed& placed = placed_[value];
    if (!placed.by_mkl) return placed.value;
    if (!placed.converted) {
      const std::array<Shape, 1> shape{tape_.shape(value)};
      TrainingOperation operation;
      operation.type = ToTf;
      // If the value is not blocked, the operation runs but moves nothing.
      if (placed.blocked) operation.bytes_read = operation.bytes_written = value_bytes * shape[0].elements();
      placed.converted =
          add(operation, tape_.operations()[tape_.producer(value)].name + "/ToTf", {{placed.value}}, shape, {});
    }
    return *placed.converted;
  }

  /// Adds the conversion of both inputs to one layout before an element-wise operation. Returns true if that layout is
  /// MKL's, which is the case if the two shapes are equal and at least one input is blocked.
  bool convert_inputs(const TapeOperation& recorded, std::vector<ValueIndex>& inputs) {
    const std::array<Shape, 2> shapes{tape_.shape(recorded.inputs[0]), tape_.shape(recorded.inputs[1])};
    const std::array<bool, 2> is_blocked{placed_[recorded.inputs[0]].blocked, placed_[recorded.inputs[1]].blocked};
    const bool blocked = shapes[0] == shapes[1] && (is_blocked[0] || is_blocked[1]);
    TrainingOperation operation;
    operation.type = InputConversion;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (is_blocked[i] != blocked) operation.bytes_read += value_bytes * shapes[i].elements();
    }
    operation.bytes_written = operation.bytes_read;
    const ValueIndex first = add(operation, recorded.name + "/InputConversion", inputs, shapes, {});
    note_readers(recorded);
    inputs = {first, first + 1};
    return blocked;
  }

  ValueIndex add(const TrainingOperation& operation, std::string name, std::span<const ValueIndex> inputs,
                 std::span<const Shape> outputs, const std::vector<OperationIndex>& after) {
    ++operations_;
    return builder_.add(operation, std::move(name), inputs, outputs, after);
  }

  const Tape& tape_;
  Layout layout_;
  TrainingGraphBuilder builder_;
  OperationIndex operations_ = 0;
  /// For each value: the index of its tie, or the number of ties if it has none.
  std::vector<std::size_t> tie_of_;
  std::vector<Placed> placed_;
};

}  // namespace

TrainingGraph assemble(const Tape& tape, ValueIndex loss, Layout layout) { return Assembly(tape, layout).run(loss); }

}  // namespace pimsweep::workload::training
