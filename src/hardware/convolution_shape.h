#pragma once

#include <cmath>
#include <cstdint>

namespace pimsweep::hardware {

/// The part of a layer that is computed; training needs all three.
enum class Pass : std::uint8_t { forward, backward_inputs, backward_weights };

/// A convolution or pooling layer: `batch` images of channels x height x width, `filters` outputs. Padding on both
/// sides. Sizes are counts, held as real numbers.
struct ConvolutionShape {
  double width = 1;
  double height = 1;
  double channels = 1;
  double batch = 1;
  double filters = 1;
  double filter_height = 1;
  double filter_width = 1;
  double pad_height = 0;
  double pad_width = 0;
  double stride_height = 1;
  double stride_width = 1;

  double out_height() const { return std::floor((height + 2 * pad_height - filter_height) / stride_height) + 1; }
  double out_width() const { return std::floor((width + 2 * pad_width - filter_width) / stride_width) + 1; }
  double taps() const { return filter_height * filter_width; }
  double inputs() const { return batch * channels * height * width; }
  double outputs() const { return batch * filters * out_height() * out_width(); }
  double weights() const { return channels * filters * taps(); }
  /// Operations of the direct algorithm; a multiply-add counts as two.
  double operations() const { return 2 * outputs() * channels * taps(); }
};

}  // namespace pimsweep::hardware
