#pragma once

#include <cmath>
#include <cstdint>

#include "base/splitmix64.h"

namespace pimsweep::hardware::noc::router {

/// Every node has its own sequence, so that results do not depend on the order in which nodes draw.
class Random {
 public:
  Random() = default;
  /// Sequence number `stream` of a seed.
  Random(std::uint64_t seed, std::uint64_t stream)
      : sequence_(SplitMix64::mix(SplitMix64::mix(seed) ^ (stream * 0xd1342543de82ef95U))) {}

  std::uint64_t bits() { return sequence_(); }

  /// Uniform below `bound`, which is at least 1. The bias is below bound / 2^32 (Lemire's multiplication, no
  /// rejection).
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((bits() >> 32) * bound) >> 32); }

  /// Uniform in (0, 1].
  double positive_uniform() { return static_cast<double>((bits() >> 11) + 1) * 0x1p-53; }

  /// Number of trials up to and including the first success, given log(1 - p) for the probability p of success.
  std::uint64_t trials(double log_failure) {
    const double failures = std::log(positive_uniform()) / log_failure;
    // It is not negative, so that the conversion rounds down; one to a signed number is a single instruction.
    return failures < 0x1p62 ? static_cast<std::uint64_t>(static_cast<std::int64_t>(failures)) + 1
                             : std::uint64_t{1} << 62;
  }

 private:
  SplitMix64 sequence_;
};

}  // namespace pimsweep::hardware::noc::router
