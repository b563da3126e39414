#include "workload/training/assembly.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace pimsweep::workload::training {

namespace {

using enum OperationType;

/// Element-wise operations that MKL takes over; InputConversion goes before each.
bool is_mkl_element_wise(OperationType type) {
  return type == Add || type == Maximum || type == Mul || type == SquaredDifference || type == Sub;
}

/// What MKL takes over: the table of rewrites in mkl_layout_pass.cc. AddN only of two inputs; BiasAdd only after a
/// convolution, with which MKL merges it.
bool is_mkl(const Tape& tape, const TapeOperation& operation) {
  switch (operation.type) {
    case AddN:
      return operation.inputs.size() == 2;
    case BiasAdd:
      return tape.operations()[tape.producer(operation.inputs[0])].type == Conv2D;
    case AvgPool:
    case AvgPoolGrad:
    case BiasAddGrad:
    case ConcatV2:
    case Conv2D:
    case Conv2DBackpropFilter:
    case Conv2DBackpropInput:
    case FusedBatchNorm:
    case FusedBatchNormGrad:
    case LRN:
    case LRNGrad:
    case MaxPool:
    case MaxPoolGrad:
    case Relu:
    case ReluGrad:
    case Reshape:
      return true;
    default:
      return is_mkl_element_wise(operation.type);
  }
}

/// Which operations run: those whose results somebody needs.
std::vector<bool> needed_operations(const Tape& tape, ValueIndex loss, const std::vector<std::size_t>& tie_of) {
  const std::vector<TapeOperation>& operations = tape.operations();
  std::vector<bool> needed(operations.size(), false);
  needed[tape.producer(loss)] = true;
  // Those of one tie come before all that read any of them.
  for (std::size_t i = operations.size(); i-- > 0;) {
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
    /// Made by an operation that MKL takes over; in its layout.
    bool by_mkl = false;
    bool blocked = false;
    /// Its copy in TensorFlow's layout, once somebody needed it.
    std::optional<ValueIndex> converted;
    /// Operations that read it, if it is a variable.
    std::vector<OperationIndex> readers;
  };

  void place(std::size_t index) {
    const TapeOperation& recorded = tape_.operations()[index];
    const bool mkl = layout_ == Layout::mkl && is_mkl(tape_, recorded);
    std::vector<ValueIndex> inputs;
    for (const ValueIndex input : recorded.inputs) inputs.push_back(mkl ? placed_[input].value : unblocked(input));
    bool blocked = mkl && recorded.type != Reshape && tape_.shape(recorded.first_output).rank() == 4;
    if (mkl && is_mkl_element_wise(recorded.type)) blocked = convert_inputs(recorded, inputs);

    std::vector<Shape> read;
    for (const ValueIndex input : recorded.inputs) read.push_back(tape_.shape(input));
    std::vector<Shape> written;
    for (std::uint32_t i = 0; i < recorded.outputs; ++i) written.push_back(tape_.shape(recorded.first_output + i));
    TrainingOperation operation;
    operation.type = recorded.type;
    operation.work = work_of(recorded.type, read, written, recorded.attributes);
    const Traffic traffic = traffic_of(recorded.type, read, written);
    operation.bytes_read = traffic.read;
    operation.bytes_written = traffic.written;
    operation.parameter_bytes = parameter_bytes(recorded, read, written);
    const ValueIndex first = add(operation, recorded.name, inputs, written, waits(index));
    for (std::uint32_t i = 0; i < recorded.outputs; ++i) {
      placed_[recorded.first_output + i] = {first + i, operations_ - 1, mkl, blocked, {}, {}};
    }
    note_readers(recorded);
  }

  /// The operation just added reads the recorded one's inputs.
  void note_readers(const TapeOperation& recorded) {
    for (const ValueIndex input : recorded.inputs) {
      if (is_variable(input)) placed_[input].readers.push_back(operations_ - 1);
    }
  }

  bool is_variable(ValueIndex value) const { return tape_.operations()[tape_.producer(value)].type == VariableV2; }

  /// Bytes of variables that an operation reads.
  std::int64_t parameter_bytes(const TapeOperation& recorded, const std::vector<Shape>& read,
                               const std::vector<Shape>& written) const {
    if (recorded.type == Gather || recorded.type == Slice) {
      return is_variable(recorded.inputs[0]) ? 4 * std::min(read[0].elements(), written[0].elements()) : 0;
    }
    if (recorded.type == ScatterSub) return 4 * read[1].elements();
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < read.size(); ++i) {
      if (is_variable(recorded.inputs[i])) bytes += 4 * read[i].elements();
    }
    return bytes;
  }

  /// Operations to wait for beside the producers of the inputs.
  std::vector<OperationIndex> waits(std::size_t index) const {
    const TapeOperation& recorded = tape_.operations()[index];
    std::vector<OperationIndex> after;
    if (is_update(recorded.type)) after = placed_[recorded.inputs[0]].readers;
    for (const ValueIndex input : recorded.inputs) {
      const std::size_t tie = tie_of_[input];
      if (tie == tape_.ties().size()) continue;
      const std::vector<ValueIndex>& values = tape_.ties()[tie];
      // The members themselves do not wait for each other.
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
      // Nothing to do, but to find that out, where the value is not blocked.
      if (placed.blocked) operation.bytes_read = operation.bytes_written = 4 * shape[0].elements();
      placed.converted =
          add(operation, tape_.operations()[tape_.producer(value)].name + "/ToTf", {{placed.value}}, shape, {});
    }
    return *placed.converted;
  }

  /// Puts the conversion of both inputs to one layout before an element-wise operation. Returns whether that is MKL's:
  /// two tensors of one shape, of which one is blocked, are both blocked; else all are in TensorFlow's layout.
  bool convert_inputs(const TapeOperation& recorded, std::vector<ValueIndex>& inputs) {
    const std::array<Shape, 2> shapes{tape_.shape(recorded.inputs[0]), tape_.shape(recorded.inputs[1])};
    const std::array<bool, 2> is_blocked{placed_[recorded.inputs[0]].blocked, placed_[recorded.inputs[1]].blocked};
    const bool blocked = shapes[0] == shapes[1] && (is_blocked[0] || is_blocked[1]);
    TrainingOperation operation;
    operation.type = InputConversion;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (is_blocked[i] != blocked) operation.bytes_read += 4 * shapes[i].elements();
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
  /// Of each value; the number of ties where it is in none.
  std::vector<std::size_t> tie_of_;
  std::vector<Placed> placed_;
};

}  // namespace

TrainingGraph assemble(const Tape& tape, ValueIndex loss, Layout layout) { return Assembly(tape, layout).run(loss); }

}  // namespace pimsweep::workload::training
