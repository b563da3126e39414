#include "workload/training/work_rules.h"

#include <algorithm>

namespace pimsweep::workload::training {

namespace {

/// Additions that reduce `terms` to `sums` sums: one less than the number of terms in each.
std::int64_t additions(std::int64_t terms, std::int64_t sums) { return std::max<std::int64_t>(0, terms - sums); }

Work product_work(std::int64_t macs, const Operands& operands) {
  return {macs, additions(macs, operands.outputs[0].elements()), 0};
}

std::int64_t window_area(const Operands& operands) { return operands.attributes.window.kernel.area(); }

}  // namespace

Work no_work(const Operands&) { return {}; }

Work matmul_work(const Operands& operands) {
  const Shape& first = operands.inputs[0];
  const bool transposed = operands.attributes.transpose_first;
  const std::int64_t inner = transposed ? first.elements() / first.last() : first.last();
  return product_work(operands.outputs[0].elements() * inner, operands);
}

Work batch_matmul_work(const Operands& operands) {
  const std::int64_t inner = inner_extent(operands.inputs[0], operands.attributes.transpose_first);
  return product_work(operands.outputs[0].elements() * inner, operands);
}

Work convolution_work(const Operands& operands) {
  const ConvolutionTensors tensors =
      convolution_tensors(operands.type, operands.inputs[0], operands.inputs[1], operands.outputs[0]);
  return product_work(tensors.output.elements() / tensors.filter.last() * tensors.filter.elements(), operands);
}

Work sum_work(const Operands& operands) {
  return {0, additions(operands.inputs[0].elements(), operands.outputs[0].elements()), 0};
}

Work mean_work(const Operands& operands) {
  Work work = sum_work(operands);
  work.multiplications = operands.outputs[0].elements();
  return work;
}

Work add_all_work(const Operands& operands) {
  return {0, additions(elements_of(operands.inputs), operands.outputs[0].elements()), 0};
}

Work half_squares_work(const Operands& operands) {
  const std::int64_t elements = operands.inputs[0].elements();
  return {elements + 1, elements - 1, 0};
}

Work max_pool_work(const Operands& operands) {
  return {0, 0, operands.outputs[0].elements() * (window_area(operands) - 1)};
}

Work max_pool_gradient_work(const Operands& operands) {
  // The maxima are searched again, and each gradient is added at the position of one.
  const std::int64_t elements = operands.inputs[2].elements();
  return {0, elements, elements * (window_area(operands) - 1)};
}

Work average_pool_work(const Operands& operands) {
  const std::int64_t elements = operands.outputs[0].elements();
  return {elements, elements * (window_area(operands) - 1), 0};
}

Work average_pool_gradient_work(const Operands& operands) {
  const std::int64_t elements = operands.inputs[0].elements();
  return {elements, elements * window_area(operands), 0};
}

Work batch_norm_work(const Operands& operands) {
  const std::int64_t elements = operands.inputs[0].elements();
  const std::int64_t channels = operands.inputs[1].elements();
  constexpr std::size_t inference_inputs = 5;
  if (operands.inputs.size() == inference_inputs) return {elements, elements, 2 * channels};
  // Mean, variance, then scale and offset.
  return {2 * elements, 4 * elements, 2 * channels};
}

Work batch_norm_gradient_work(const Operands& operands) {
  // With n the normalized input: the sums of dy and of dy n; then dy minus its mean and minus n times the mean of dy n,
  // scaled.
  const std::int64_t elements = operands.inputs[0].elements();
  const std::int64_t channels = operands.inputs[2].elements();
  return {4 * elements, 5 * elements, 2 * channels};
}

Work subtract_rows_work(const Operands& operands) { return {0, operands.inputs[1].elements(), 0}; }

}  // namespace pimsweep::workload::training
