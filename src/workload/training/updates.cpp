#include "workload/training/updates.h"

#include <algorithm>
#include <string_view>

namespace pimsweep::workload::training {

namespace {

using enum OperationType;

/// The update of an optimizer and the number of variables that it keeps per parameter.
struct UpdateRule {
  Optimizer optimizer;
  OperationType type;
  std::vector<std::string_view> slots;
};

const UpdateRule& rule_of(Optimizer optimizer) {
  static const std::vector<UpdateRule> rules{{Optimizer::gradient_descent, ApplyGradientDescent, {}},
                                             {Optimizer::momentum, ApplyMomentum, {"momentum"}},
                                             {Optimizer::adam, ApplyAdam, {"m", "v"}},
                                             {Optimizer::rmsprop, ApplyRMSProp, {"rms", "momentum"}}};
  return *std::find_if(rules.begin(), rules.end(), [&](const UpdateRule& rule) { return rule.optimizer == optimizer; });
}

}  // namespace

void record_clipping(Tape& tape, std::vector<VariableGradient>& gradients) {
  tape.enter("clip");
  std::vector<ValueIndex> squares;
  squares.reserve(gradients.size());
  for (const VariableGradient& gradient : gradients) squares.push_back(tape.add(L2Loss, {gradient.gradient}, {}));
  const auto count = static_cast<std::int64_t>(squares.size());
  const ValueIndex half = tape.reduce(Sum, tape.add(Pack, std::move(squares), {count}), {});
  const ValueIndex norm = tape.same(Sqrt, {tape.binary(Mul, half, tape.constant({}))});
  const ValueIndex inverse = tape.binary(RealDiv, tape.constant({}), norm);
  const ValueIndex limit = tape.binary(Minimum, inverse, tape.constant({}));
  const ValueIndex scale = tape.binary(Mul, tape.constant({}), limit);
  for (VariableGradient& gradient : gradients) gradient.gradient = tape.binary(Mul, gradient.gradient, scale);
}

void record_updates(Tape& tape, Optimizer optimizer, const std::vector<VariableGradient>& gradients) {
  const UpdateRule& rule = rule_of(optimizer);
  // All updates of Adam read the powers of its two betas.
  std::vector<ValueIndex> powers;
  if (optimizer == Optimizer::adam) {
    tape.enter("optimizer");
    for (const std::string_view name : {"beta1_power", "beta2_power"}) powers.push_back(tape.variable(name, {}, false));
  }
  for (const VariableGradient& gradient : gradients) {
    const std::string& name = tape.operations()[tape.producer(gradient.variable)].name;
    tape.enter("update/" + name.substr(0, name.rfind('/')));
    const Shape shape = tape.shape(gradient.variable);
    if (gradient.rows && optimizer == Optimizer::gradient_descent) {
      const ValueIndex step = tape.binary(Mul, gradient.gradient, tape.constant({}));
      tape.add(ScatterSub, {gradient.variable, step, *gradient.rows}, shape);
      continue;
    }
    const ValueIndex dense =
        gradient.rows ? tape.add(UnsortedSegmentSum, {gradient.gradient, *gradient.rows}, shape) : gradient.gradient;
    std::vector<ValueIndex> inputs{gradient.variable};
    for (const std::string_view slot : rule.slots) inputs.push_back(tape.variable(slot, shape, false));
    inputs.push_back(dense);
    inputs.insert(inputs.end(), powers.begin(), powers.end());
    tape.same(rule.type, std::move(inputs));
  }
  for (const ValueIndex power : powers) {
    tape.enter("optimizer");
    tape.same(Assign, {power, tape.binary(Mul, power, tape.constant({}))});
  }
}

}  // namespace pimsweep::workload::training
