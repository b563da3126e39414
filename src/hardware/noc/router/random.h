#pragma once

#include <cmath>
#include <cstdint>

namespace pimsweep::hardware::noc::router {

/// SplitMix64 (Steele, Lea and Flood 2014): eight bytes of state, so that every node has its own sequence and results
/// do not depend on the order in which nodes draw.
class Random {
 public:
  Random() = default;
  /// Sequence number `stream` of a seed.
  Random(std::uint64_t seed, std::uint64_t stream) : state_(mix(mix(seed) ^ (stream * 0xd1342543de82ef95U))) {}

  std::uint64_t bits() { return mix(state_ += 0x9e3779b97f4a7c15U); }

  /// Uniform below `bound`, which is at least 1. The bias is below bound / 2^32 (Lemire's multiplication, no
  /// rejection).
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(((bits() >> 32) * bound) >> 32); }

  /// Uniform in (0, 1].
  double positive_uniform() { return static_cast<double>((bits() >> 11) + 1) * 0x1p-53; }

  /// Number of trials up to and including the first success, given log(1 - p) for the probability p of success.
  std::uint64_t trials(double log_failure) {
    const double trials = std::floor(std::log(positive_uniform()) / log_failure);
    return trials < 0x1p62 ? static_cast<std::uint64_t>(trials) + 1 : std::uint64_t{1} << 62;
  }

 private:
  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  std::uint64_t state_ = 0;
};

}  // namespace pimsweep::hardware::noc::router
