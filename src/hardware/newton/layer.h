#pragma once

#include <cstdint>
#include <optional>

#include "base/checked.h"

namespace pimsweep::hardware::newton {

/// A convolution, or a fully connected layer written as a 1x1 convolution over an image of width 1 whose rows are the
/// batch or the sequence. Sizes in elements, batch 1.
struct Layer {
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t inputs = 0;
  std::int64_t outputs = 0;
  std::int64_t kernel_height = 1;
  std::int64_t kernel_width = 1;
  std::int64_t stride = 1;
  std::int64_t pad_height = 0;
  std::int64_t pad_width = 0;

  std::int64_t output_height() const { return (height - kernel_height + 2 * pad_height) / stride + 1; }
  std::int64_t output_width() const { return (width - kernel_width + 2 * pad_width) / stride + 1; }
  /// Number of output positions; 0 if the kernel does not fit the padded image.
  std::int64_t pixels() const;
  /// Elements of a filter.
  std::int64_t filter() const { return Count{inputs} * kernel_height * kernel_width; }
  std::int64_t macs() const { return Count{pixels()} * outputs * filter(); }
  bool pointwise() const { return kernel_height == 1 && kernel_width == 1; }
  /// True if it is written as a fully connected layer.
  bool fully_connected() const;
};

/// The part of a layer that PIM computes when the layer is split along the height of the input and PIM gets `tenths` /
/// 10 of it, cut as by the PIMFlow artifact (including halo rows, and with rows of padding turned into rows of the
/// image). nullopt if no part remains for PIM or the artifact leaves the whole layer on the GPU.
std::optional<Layer> pim_part(const Layer& layer, std::int64_t tenths);

}  // namespace pimsweep::hardware::newton
