#pragma once

#include <cstdint>

namespace pimsweep {

/// SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators, OOPSLA 2014): eight bytes of
/// state, equal on every machine.
class SplitMix64 {
 public:
  SplitMix64() = default;
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  /// The next number of the sequence.
  std::uint64_t operator()() { return mix(state_ += increment); }
  /// Skips the next `n` numbers.
  void skip(std::uint64_t n) { state_ += n * increment; }
  /// Number `n` of the sequence of a seed, in constant time.
  static std::uint64_t nth(std::uint64_t seed, std::uint64_t n) { return mix(seed + (n + 1) * increment); }

  static std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

 private:
  static constexpr std::uint64_t increment = 0x9e3779b97f4a7c15U;

  std::uint64_t state_ = 0;
};

}  // namespace pimsweep
