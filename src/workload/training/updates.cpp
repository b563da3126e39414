#include "workload/training/updates.h"

#include <string_view>

namespace pimsweep::workload::training {

namespace {

using enum OperationType;

struct Rule {
  OperationType type;
  std::vector<std::string_view> slots;
};

const Rule& rule_of(Optimizer optimizer) {
  static const Rule gradient_descent{ApplyGradientDescent, {}};
  static const Rule momentum{ApplyMomentum, {"momentum"}};
  static const Rule adam{ApplyAdam, {"m", "v"}};
  static const Rule rmsprop{ApplyRMSProp, {"rms", "momentum"}};
  switch (optimizer) {
    case Optimizer::momentum:
      return momentum;
    case Optimizer::adam:
      return adam;
    case Optimizer::rmsprop:
      return rmsprop;
    case Optimizer::gradient_descent:
      break;
  }
  return gradient_descent;
}

}  // namespace

void record_clipping(Tape& tape, std::vector<VariableGradient>& gradients) {
  tape.enter("clip");
  std::vector<ValueIndex> squares;
  for (const VariableGradient& gradient : gradients) squares.push_back(tape.add(L2Loss, {gradient.gradient}, {}));
  const auto count = static_cast<std::int64_t>(squares.size());
  const ValueIndex half = tape.reduce(Sum, tape.add(Pack, std::move(squares), {count}), {});
  const ValueIndex norm = tape.same(Sqrt, {tape.binary(Mul, half, tape.constant({}))});
  const ValueIndex inverse = tape.binary(RealDiv, tape.constant({}), norm);
  const ValueIndex scale = tape.binary(Mul, tape.constant({}), tape.binary(Minimum, inverse, tape.constant({})));
  for (VariableGradient& gradient : gradients) gradient.gradient = tape.binary(Mul, gradient.gradient, scale);
}

void record_updates(Tape& tape, Optimizer optimizer, const std::vector<VariableGradient>& gradients) {
  const Rule& rule = rule_of(optimizer);
  // Adam's powers of beta, which all its updates read.
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
