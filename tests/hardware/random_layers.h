#pragma once

#include <algorithm>
#include <random>

#include "hardware/pe_array/convolution.h"

namespace pimsweep::test {

/// Layers of all kinds, no size above `most` but those that follow.
inline hardware::pe_array::ConvolutionLayer random_layer(std::mt19937& random, std::int64_t most) {
  const auto up_to = [&](std::int64_t limit) { return std::uniform_int_distribution<std::int64_t>(1, limit)(random); };
  hardware::pe_array::ConvolutionLayer layer;
  layer.batch = up_to(most);
  layer.groups = up_to(3) == 1 ? up_to(3) : 1;
  layer.in_channels = layer.groups * up_to(most);
  layer.out_channels = layer.groups * up_to(most);
  if (up_to(4) == 1) return layer;  // fully connected
  layer.kernel_h = up_to(std::min<std::int64_t>(most, 7));
  layer.kernel_w = up_to(std::min<std::int64_t>(most, 7));
  layer.out_h = up_to(most);
  layer.out_w = up_to(most);
  layer.stride = up_to(3);
  layer.padding_h = layer.kernel_h / 2;
  layer.padding_w = layer.kernel_w / 2;
  return layer;
}

}  // namespace pimsweep::test
