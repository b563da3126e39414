#include "workload/training/gradients.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/downward.h"
#include "workload/training/gradient_rules.h"
#include "workload/training/operation_table.h"

namespace pimsweep::workload::training {

namespace {

class Backward {
 public:
  Backward(Tape& tape, bool gate) : tape_(tape), gate_(gate), forward_(tape.operations().size()) {
    reaches_.resize(tape.values(), false);
    for (const ValueIndex variable : tape.trainable()) reaches_[variable] = true;
    for (const TapeOperation& operation : tape.operations()) {
      const bool reached = std::any_of(operation.inputs.begin(), operation.inputs.end(),
                                       [&](ValueIndex input) { return reaches_[input]; });
      for (std::uint32_t i = 0; reached && i < operation.outputs; ++i) reaches_[operation.first_output + i] = true;
    }
    parts_.resize(tape.values());
  }

  std::vector<VariableGradient> run(ValueIndex loss) {
    tape_.enter("gradients");
    parts_[loss] = {tape_.constant(tape_.shape(loss))};
    for (const std::size_t i : downward(forward_)) visit(i);
    std::vector<VariableGradient> gradients;
    for (const ValueIndex variable : tape_.trainable()) {
      const auto sparse = std::find_if(sparse_.begin(), sparse_.end(),
                                       [&](const VariableGradient& gradient) { return gradient.variable == variable; });
      if (sparse != sparse_.end()) {
        gradients.push_back(*sparse);
      } else if (const Gradient gradient = sum(variable)) {
        gradients.push_back({variable, *gradient, {}});
      }
    }
    return gradients;
  }

 private:
  void visit(std::size_t index) {
    const TapeOperation operation = tape_.operations()[index];
    if (!reaches_[operation.first_output] || is_source(operation.type) || is_update(operation.type)) return;
    tape_.enter("gradients/" + operation.name);
    std::vector<Gradient> outputs;
    for (std::uint32_t i = 0; i < operation.outputs; ++i) outputs.push_back(sum(operation.first_output + i));
    if (std::none_of(outputs.begin(), outputs.end(), [](const Gradient& g) { return g.has_value(); })) return;
    const OperationInfo& info = operation_info(operation.type);
    if (info.sparse_gradient) {
      sparse_.push_back({operation.inputs[0], *outputs[0], operation.inputs[1]});
      return;
    }
    const GradientRule rule = gradient_rule(operation.type);
    if (rule == nullptr) throw std::logic_error(fmt::format("no gradient rule for {}", info.name));
    pass_on(operation, rule(GradientContext(tape_, operation, outputs)));
  }

  /// Adds the gradients of the inputs to those that the inputs have received from other readers.
  void pass_on(const TapeOperation& operation, const std::vector<Gradient>& gradients) {
    std::vector<ValueIndex> together;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      if (!gradients[i]) continue;
      const ValueIndex input = operation.inputs[i];
      if (tape_.shape(*gradients[i]) != tape_.shape(input)) {
        throw std::logic_error(fmt::format("the gradient of {} has the shape {} instead of {}", operation.name,
                                           tape_.shape(*gradients[i]).text(), tape_.shape(input).text()));
      }
      together.push_back(*gradients[i]);
      if (reaches_[input]) parts_[input].push_back(*gradients[i]);
    }
    if (gate_ && together.size() > 1) tape_.tie(std::move(together));
  }

  /// The sum of the gradients from all readers of a value.
  Gradient sum(ValueIndex value) {
    std::vector<ValueIndex>& parts = parts_[value];
    if (parts.empty()) return {};
    if (parts.size() > 1) parts = {tape_.same(OperationType::AddN, parts)};
    return parts.front();
  }

  Tape& tape_;
  bool gate_;
  /// Number of operations recorded before the gradients.
  std::size_t forward_;
  /// For each value: whether it depends on a trainable variable.
  std::vector<bool> reaches_;
  /// For each value: the gradients from its readers.
  std::vector<std::vector<ValueIndex>> parts_;
  std::vector<VariableGradient> sparse_;
};

}  // namespace

std::vector<VariableGradient> record_gradients(Tape& tape, ValueIndex loss, bool gate) {
  return Backward(tape, gate).run(loss);
}

}  // namespace pimsweep::workload::training
