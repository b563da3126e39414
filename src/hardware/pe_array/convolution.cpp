#include "hardware/pe_array/convolution.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "hardware/integer_math.h"

namespace pimsweep::hardware::pe_array {

ConvolutionLayer fully_connected(std::int64_t batch, std::int64_t inputs, std::int64_t outputs) {
  ConvolutionLayer layer;
  layer.batch = batch;
  layer.in_channels = inputs;
  layer.out_channels = outputs;
  return layer;
}

std::int64_t ConvolutionProduct::macs() const {
  return Count{groups} * images * channels * filters * kernel_h * kernel_w * windows_h * windows_w;
}

std::int64_t ConvolutionProduct::input_rows(std::int64_t windows, std::int64_t kernel_rows) const {
  // Steps larger than the extent that they step over skip rows.
  const std::int64_t extent = ceil_div(kernel_rows, kernel_rows_per_input_row);
  const std::int64_t rows = kernel_step == 1 ? Count{windows - 1} * std::min(window_step, extent) + extent
                                             : Count{extent - 1} * std::min(kernel_step, windows) + windows;
  return std::min(rows, in_h);
}

TrainingProducts training_products(const ConvolutionLayer& layer) {
  const auto& l = layer;
  if (std::min({l.batch, l.in_channels, l.out_channels, l.groups, l.kernel_h, l.kernel_w, l.out_h, l.out_w, l.stride}) <
      1) {
    throw std::invalid_argument("convolution: all sizes must be positive");
  }
  if (l.in_channels % l.groups != 0 || l.out_channels % l.groups != 0) {
    throw std::invalid_argument("convolution: the groups must divide the channels");
  }
  // With more padding, windows would cover only zeros.
  if (std::min(l.padding_h, l.padding_w) < 0 || l.padding_h >= l.kernel_h || l.padding_w >= l.kernel_w) {
    throw std::invalid_argument("convolution: the padding must be smaller than the kernel");
  }
  const auto stored = [&](std::int64_t out, std::int64_t kernel, std::int64_t padding) {
    return std::max<std::int64_t>(1, Count{out - 1} * std::min(l.stride, kernel) + kernel - 2 * padding);
  };

  TrainingProducts products;
  ConvolutionProduct& forward = products.forward;
  forward.groups = l.groups;
  forward.images = l.batch;
  forward.channels = l.in_channels / l.groups;
  forward.filters = l.out_channels / l.groups;
  forward.kernel_h = l.kernel_h;
  forward.kernel_w = l.kernel_w;
  forward.windows_h = forward.out_h = l.out_h;
  forward.windows_w = forward.out_w = l.out_w;
  forward.in_h = stored(l.out_h, l.kernel_h, l.padding_h);
  forward.in_w = stored(l.out_w, l.kernel_w, l.padding_w);
  forward.window_step = l.stride;

  ConvolutionProduct& backward = products.backward;
  backward = forward;
  std::swap(backward.channels, backward.filters);
  std::swap(backward.in_h, backward.out_h);
  std::swap(backward.in_w, backward.out_w);
  backward.window_step = 1;
  backward.kernel_rows_per_input_row = l.stride;

  ConvolutionProduct& gradient = products.gradient;
  gradient = forward;
  std::swap(gradient.images, gradient.channels);
  std::swap(gradient.kernel_h, gradient.windows_h);
  std::swap(gradient.kernel_w, gradient.windows_w);
  gradient.out_h = l.kernel_h;
  gradient.out_w = l.kernel_w;
  std::swap(gradient.window_step, gradient.kernel_step);
  return products;
}

}  // namespace pimsweep::hardware::pe_array
