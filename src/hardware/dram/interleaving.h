#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "hardware/dram/power_of_two.h"

namespace pimsweep::hardware::dram {

/// Deals a numbered series out to channels: blocks of `block` numbers go to the channels in turn. Each channel numbers
/// its part from 0 on.
class Interleaving {
 public:
  /// `block` is a power of two; any number of channels.
  Interleaving(std::int64_t channels, std::int64_t block) : channels_(channels), block_(block) {}

  /// How many of the first `count` numbers are a channel's.
  std::int64_t share(std::int64_t count, std::int64_t channel) const {
    const std::int64_t rounds = count / block_ / channels_;
    const std::int64_t left = count - rounds * channels_ * block_.count();
    return rounds * block_.count() + std::clamp(left - channel * block_.count(), std::int64_t{0}, block_.count());
  }
  /// The number in the whole series of a channel's number `own`.
  std::int64_t number(std::int64_t channel, std::int64_t own) const {
    return ((own / block_ * channels_ + channel) << block_.bits()) + own % block_;
  }
  /// Numbers of a channel after which their numbers in the series are the same modulo a power of two again; a power of
  /// two itself.
  std::int64_t repeats(std::int64_t modulus) const {
    if (block_.count() % modulus == 0) return modulus;
    return std::max(block_.count(), modulus / std::gcd(modulus, channels_));
  }

 private:
  std::int64_t channels_;
  PowerOfTwo block_;
};

}  // namespace pimsweep::hardware::dram
