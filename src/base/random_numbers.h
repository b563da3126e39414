#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

namespace pimsweep {

/// A number between 0 and 1, neither included, from 53 of 64 random bits.
inline double open_unit(std::uint64_t bits) { return std::ldexp(static_cast<double>(bits >> 11) + 0.5, -53); }

/// A standard normal number from two uniform ones (Box and Muller, A note on the generation of random normal deviates,
/// 1958).
inline double standard_normal(double first_unit, double second_unit) {
  return std::sqrt(-2 * std::log(first_unit)) * std::cos(2 * std::numbers::pi * second_unit);
}

}  // namespace pimsweep
