#include <algorithm>
#include <cmath>

#include "hardware/manycore/operations.h"

namespace pimsweep::hardware::manycore {

namespace {

double memory_of(const ConvolutionShape& shape) {
  return value_bytes * (shape.inputs() + shape.outputs() + shape.weights());
}

/// True if the padding is neither zero nor makes the output as large as the input divided by the stride.
bool has_odd_padding(const ConvolutionShape& shape) {
  const bool none = shape.pad_height == 0 && shape.pad_width == 0;
  return !none && (2 * shape.pad_height != shape.filter_height - 1 || 2 * shape.pad_width != shape.filter_width - 1);
}

}  // namespace

Work Operations::convolution(const ConvolutionShape& shape, Pass pass) const {
  Work work;
  const OperationErrors& errors = device_.errors;
  const ModelError& error = pass == Pass::forward           ? errors.convolution
                            : pass == Pass::backward_inputs ? errors.convolution_inputs
                                                            : errors.convolution_weights;
  if (pass == Pass::backward_weights) {
    work = direct_weights(shape);
  } else {
    const bool through_stride = std::max(shape.stride_height, shape.stride_width) > 1 && shape.taps() > 1;
    const bool slow =
        library_ == Library::mkl_2017 && through_stride && (pass == Pass::backward_inputs || has_odd_padding(shape));
    work = slow ? image_columns(shape) : direct(shape, pass == Pass::forward);
  }
  work.error = error.of(shape.width, shape.height, shape.channels, shape.batch, shape.filters, shape.filter_height,
                        shape.filter_width, shape.stride_height, shape.stride_width);
  work.defined_operations = shape.operations();
  return work;
}

/// A chunk is a row of pixels for several vectors of output channels; its sums stay in registers.
Work Operations::direct(const ConvolutionShape& shape, bool forward) const {
  const double outputs = forward ? shape.filters : shape.channels;
  const double inputs = forward ? shape.channels : shape.filters;
  const double pixels = forward ? shape.out_width() : shape.width;
  const double lines = forward ? shape.out_height() : shape.height;
  // Operand values per row of the result, and multiplications per pixel of the result.
  const double read = forward ? shape.width * shape.stride_height : shape.out_width() / shape.stride_height;
  const double products = inputs * shape.taps() / (forward ? 1 : shape.stride_height * shape.stride_width);
  const double vectors = std::ceil(outputs / device_.lanes);
  const double max_registers = device_.registers - 4;
  // Short rows leave registers for more vectors, which hide the latency of the multiply-adds.
  const double needed = device_.fma_latency_cycles * device_.fma_units;
  const double together = std::min({vectors, max_registers, std::ceil(needed / std::min(pixels, max_registers))});
  const double tile = pixels / std::ceil(pixels / std::floor(max_registers / together));

  Work work;
  Loops& l = work.loops;
  l.rows = std::ceil(vectors / together);
  l.columns = shape.batch * lines;
  l.collapses = true;
  l.operations = 2 * device_.lanes * together * pixels * products;
  l.efficiency = efficiency(together, tile * together);
  l.row_bytes = device_.lanes * together * inputs * shape.taps() * value_bytes;
  l.column_bytes = read * inputs * value_bytes;
  l.result_bytes = device_.lanes * together * pixels * value_bytes;
  l.memory_bytes = memory_of(shape);
  l.footprint = l.memory_bytes;
  return work;
}

/// A chunk is one image's contribution to the weights between a vector of outputs and as many inputs.
Work Operations::direct_weights(const ConvolutionShape& shape) const {
  const double lanes = device_.lanes;
  const double inputs = std::min(lanes, shape.channels);
  const double pixels = shape.out_height() * shape.out_width();
  const double accumulators = std::min(device_.registers - 4, inputs * shape.filter_width);
  const double touched = std::min(shape.height * shape.width, pixels * shape.taps());
  Work work;
  Loops& l = work.loops;
  l.rows = std::ceil(shape.filters / lanes);
  l.columns = std::ceil(shape.channels / lanes);
  l.depth = shape.batch;
  l.splits_depth = true;
  l.operations = 2 * lanes * inputs * pixels * shape.taps();
  // Sums are loaded and stored for each row of pixels.
  l.efficiency = efficiency(1 + 2 * accumulators / shape.out_width(), accumulators);
  l.row_bytes = lanes * pixels * value_bytes;
  l.column_bytes = inputs * touched * value_bytes;
  l.result_bytes = lanes * inputs * shape.taps() * value_bytes;
  l.memory_bytes = memory_of(shape);
  l.footprint = l.memory_bytes;
  return work;
}

/// A thread processes an image: it gathers the patches into a matrix, and multiplies that by the weights.
Work Operations::image_columns(const ConvolutionShape& shape) const {
  const double patches = shape.channels * shape.taps() * shape.out_height() * shape.out_width();
  Work work;
  Loops& l = work.loops;
  l.rows = shape.batch;
  l.operations = shape.operations() / shape.batch;
  l.efficiency = efficiency(1, device_.registers - 4);
  l.scalar_cycles = patches * device_.gather_cycles;
  // The matrix is written and read.
  l.memory_bytes = memory_of(shape) + 2 * shape.batch * patches * value_bytes;
  l.footprint = l.memory_bytes;
  l.packs = true;
  return work;
}

}  // namespace pimsweep::hardware::manycore
