#include "workload/training/operands.h"

#include <fmt/format.h>

#include <stdexcept>

#include "workload/training/operation_table.h"

namespace pimsweep::workload::training {

std::int64_t elements_of(std::span<const Shape> shapes) {
  std::int64_t sum = 0;
  for (const Shape& shape : shapes) sum += shape.elements();
  return sum;
}

std::int64_t inner_extent(const Shape& first, bool transposed) {
  return transposed ? first[first.rank() - 2] : first.last();
}

ConvolutionTensors convolution_tensors(OperationType type, const Shape& first, const Shape& second,
                                       const Shape& result) {
  switch (operation_info(type).convolution) {
    case ConvolutionRole::forward:
      return {.input = first, .filter = second, .output = result};
    case ConvolutionRole::input_gradient:
      return {.input = result, .filter = first, .output = second};
    case ConvolutionRole::filter_gradient:
      return {.input = first, .filter = result, .output = second};
    case ConvolutionRole::none:
      break;
  }
  throw std::logic_error(fmt::format("{} is no convolution", name_of(type)));
}

}  // namespace pimsweep::workload::training
