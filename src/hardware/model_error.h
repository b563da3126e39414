#pragma once

#include <bit>
#include <cstdint>

#include "base/splitmix64.h"

namespace pimsweep::hardware {

/// Correction factors on the modeled times of a class of kernels or operations; 1 is the uncorrected model.
struct ModelError {
  /// Factor on the times of all shapes alike.
  double common = 1;
  /// A hash of the shape decides whether its time is multiplied or divided by it: errors of the different layers of a
  /// network cancel in part, those of equal layers do not.
  double by_shape = 1;

  /// The factor on the time of a shape, which the numbers describe.
  template <typename... Numbers>
  double of(Numbers... shape) const {
    if (by_shape == 1) return common;
    auto hash = std::bit_cast<std::uint64_t>(by_shape);
    ((hash = SplitMix64::mix(hash ^ std::bit_cast<std::uint64_t>(static_cast<double>(shape)))), ...);
    return (hash & 1U) != 0 ? common * by_shape : common / by_shape;
  }

  friend bool operator==(const ModelError&, const ModelError&) = default;
};

}  // namespace pimsweep::hardware
