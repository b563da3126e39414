#include "workload/training/operands.h"

#include <fmt/format.h>

#include <stdexcept>

namespace pimsweep::workload::training {

std::int64_t elements_of(std::span<const Shape> shapes) {
  std::int64_t sum = 0;
  for (const Shape& shape : shapes) sum += shape.elements();
  return sum;
}

std::int64_t inner_extent(const Shape& first, bool transposed) {
  return transposed ? first[first.rank() - 2] : first.last();
}

ConvolutionRole convolution_role(OperationType type) {
  switch (type) {
    case OperationType::Conv2D:
      return ConvolutionRole::forward;
    case OperationType::Conv2DBackpropInput:
      return ConvolutionRole::input_gradient;
    case OperationType::Conv2DBackpropFilter:
      return ConvolutionRole::filter_gradient;
    default:
      return ConvolutionRole::none;
  }
}

ConvolutionTensors convolution_tensors(OperationType type, const Shape& first, const Shape& second,
                                       const Shape& result) {
  switch (convolution_role(type)) {
    case ConvolutionRole::forward:
      return {.input = first, .filter = second, .output = result};
    case ConvolutionRole::input_gradient:
      return {.input = result, .filter = first, .output = second};
    case ConvolutionRole::filter_gradient:
      return {.input = first, .filter = result, .output = second};
    case ConvolutionRole::none:
      break;
  }
  throw std::logic_error(fmt::format("{} is not a convolution", name_of(type)));
}

}  // namespace pimsweep::workload::training
