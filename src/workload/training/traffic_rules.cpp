#include "workload/training/traffic_rules.h"

#include <algorithm>

namespace pimsweep::workload::training {

Traffic whole_traffic(const Operands& operands) {
  return {elements_of(operands.inputs), elements_of(operands.outputs)};
}

Traffic no_traffic(const Operands&) { return {}; }

Traffic write_only_traffic(const Operands& operands) { return {0, elements_of(operands.outputs)}; }

Traffic slice_traffic(const Operands& operands) {
  const std::int64_t elements = elements_of(operands.outputs);
  return {elements, elements};
}

Traffic gather_traffic(const Operands& operands) {
  const std::int64_t gathered = elements_of(operands.outputs);
  return {std::min(gathered, operands.inputs[0].elements()) + operands.inputs[1].elements(), gathered};
}

Traffic scatter_traffic(const Operands& operands) {
  const std::int64_t rows = operands.inputs[1].elements();
  return {2 * rows + operands.inputs[2].elements(), rows};
}

Traffic assign_traffic(const Operands& operands) {
  return {operands.inputs[1].elements(), operands.inputs[0].elements()};
}

std::int64_t whole_variable(const Operands& operands, std::size_t input) { return operands.inputs[input].elements(); }

std::int64_t selected_variable(const Operands& operands, std::size_t input) {
  const std::int64_t elements = operands.inputs[input].elements();
  return input == 0 ? std::min(elements, operands.outputs[0].elements()) : elements;
}

std::int64_t updated_rows(const Operands& operands, std::size_t input) {
  return operands.inputs[input == 0 ? 1 : input].elements();
}

}  // namespace pimsweep::workload::training
