#include "workload/training/shape_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace pimsweep::workload::training {

namespace {

struct Matrix {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
};

/// A tensor as a matrix: the last extent is the number of columns.
Matrix matrix(const Shape& shape, bool transposed) {
  const std::int64_t rows = shape.elements() / shape.last();
  return transposed ? Matrix{shape.last(), rows} : Matrix{rows, shape.last()};
}

Shape channels_of(const Shape& map) { return {map.last()}; }

bool pool_maps_fit(const Shape& input, const Shape& output, const ConvolutionWindow& window) {
  return input.rank() == 4 && output.rank() == 4 && input[0] == output[0] && input[3] == output[3] &&
         window.output({input[1], input[2]}) == Extent(output[1], output[2]);
}

}  // namespace

Shape broadcast(const Shape& a, const Shape& b) {
  Shape result = a.rank() >= b.rank() ? a : b;
  const Shape& other = a.rank() >= b.rank() ? b : a;
  for (std::size_t i = 1; i <= other.rank(); ++i) {
    const std::int64_t extent = other[other.rank() - i];
    std::int64_t& common = result.extent(result.rank() - i);
    if (extent != common && extent != 1 && common != 1) {
      throw std::logic_error(fmt::format("{} does not broadcast to {}", other.text(), result.text()));
    }
    common = std::max(common, extent);
  }
  return result;
}

bool any_shapes(const Operands&) { return true; }

bool matmul_fits(const Operands& operands) {
  const Matrix a = matrix(operands.inputs[0], operands.attributes.transpose_first);
  const Matrix b = matrix(operands.inputs[1], operands.attributes.transpose_second);
  const Shape& product = operands.outputs[0];
  return a.columns == b.rows && product.elements() == a.rows * b.columns && product.last() == b.columns;
}

bool batch_matmul_fits(const Operands& operands) {
  const Shape& a = operands.inputs[0];
  const Shape& b = operands.inputs[1];
  const Shape& product = operands.outputs[0];
  const OperationAttributes& attributes = operands.attributes;
  const std::size_t rank = product.rank();
  if (rank < 3 || a.rank() != rank || b.rank() != rank) return false;
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    if (a[i] != product[i] || b[i] != product[i]) return false;
  }
  const auto rows = [&](const Shape& shape, bool transposed) { return shape[transposed ? rank - 1 : rank - 2]; };
  return rows(a, attributes.transpose_first) == product[rank - 2] &&
         inner_extent(b, attributes.transpose_second) == product.last() &&
         inner_extent(a, attributes.transpose_first) == rows(b, attributes.transpose_second);
}

bool convolution_fits(const Operands& operands) {
  const auto [input, filter, output] =
      convolution_tensors(operands.type, operands.inputs[0], operands.inputs[1], operands.outputs[0]);
  const ConvolutionWindow& window = operands.attributes.window;
  return input.rank() == 4 && filter.rank() == 4 && output.rank() == 4 &&
         window.kernel == Extent(filter[0], filter[1]) &&
         window.output({input[1], input[2]}) == Extent(output[1], output[2]) && input[0] == output[0] &&
         input[3] == filter[2] && output[3] == filter[3];
}

bool pool_fits(const Operands& operands) {
  return pool_maps_fit(operands.inputs[0], operands.outputs[0], operands.attributes.window);
}

bool max_pool_gradient_fits(const Operands& operands) {
  return operands.inputs[0] == operands.outputs[0] && operands.inputs[1] == operands.inputs[2] &&
         pool_maps_fit(operands.inputs[0], operands.inputs[2], operands.attributes.window);
}

bool average_pool_gradient_fits(const Operands& operands) {
  return pool_maps_fit(operands.outputs[0], operands.inputs[0], operands.attributes.window);
}

bool bias_fits(const Operands& operands) {
  return operands.inputs[0] == operands.outputs[0] && operands.inputs[1] == channels_of(operands.inputs[0]);
}

bool bias_gradient_fits(const Operands& operands) { return operands.outputs[0] == channels_of(operands.inputs[0]); }

bool batch_norm_fits(const Operands& operands) {
  return operands.inputs[0] == operands.outputs[0] && operands.inputs[1] == channels_of(operands.inputs[0]) &&
         operands.inputs[2] == operands.inputs[1];
}

bool batch_norm_gradient_fits(const Operands& operands) {
  return operands.inputs[0] == operands.inputs[1] && operands.outputs[0] == operands.inputs[0] &&
         operands.outputs[1] == operands.inputs[2];
}

bool elements_fit(const Operands& operands) { return elements_of(operands.inputs) == elements_of(operands.outputs); }

bool broadcast_fits(const Operands& operands) {
  return broadcast(operands.inputs[0], operands.inputs[1]) == operands.outputs[0];
}

bool same_shapes(const Operands& operands) {
  return std::all_of(operands.inputs.begin(), operands.inputs.end(),
                     [&](const Shape& shape) { return shape == operands.outputs[0]; });
}

bool update_fits(const Operands& operands) {
  return std::all_of(operands.inputs.begin(), operands.inputs.end(),
                     [&](const Shape& shape) { return shape == operands.inputs[0] || shape.rank() == 0; });
}

}  // namespace pimsweep::workload::training
