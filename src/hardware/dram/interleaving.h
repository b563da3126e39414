#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "hardware/dram/power_of_two.h"

namespace pimsweep::hardware::dram {

/// Distributes a numbered series over channels: blocks of `block` numbers go to the channels round-robin. Each channel
/// numbers its part from 0.
class Interleaving {
 public:
  /// `block` is a power of two; the number of channels is arbitrary.
  Interleaving(std::int64_t channels, std::int64_t block) : channels_(channels), block_(block) {}

  /// Number of the first `count` items that go to a channel.
  std::int64_t share(std::int64_t count, std::int64_t channel) const {
    const std::int64_t rounds = count / block_ / channels_;
    const std::int64_t left = count - rounds * channels_ * block_.count();
    return rounds * block_.count() + std::clamp(left - channel * block_.count(), std::int64_t{0}, block_.count());
  }
  /// Number in the whole series of item `own` of a channel.
  std::int64_t number(std::int64_t channel, std::int64_t own) const {
    return ((own / block_ * channels_ + channel) << block_.bits()) + own % block_;
  }
  /// Period of a channel's items, in items, after which their numbers in the series repeat modulo a power of two;
  /// itself a power of two.
  std::int64_t repeats(std::int64_t modulus) const {
    if (block_.count() % modulus == 0) return modulus;
    return std::max(block_.count(), modulus / std::gcd(modulus, channels_));
  }

 private:
  std::int64_t channels_;
  PowerOfTwo block_;
};

}  // namespace pimsweep::hardware::dram
