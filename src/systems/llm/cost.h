#pragma once

#include <limits>

namespace pimsweep::systems::llm {

/// Cost of running an operator once on one side of the machine: a card, or the PIM devices beside it.
struct Cost {
  double seconds = 0;
  /// Bytes read and written in memory.
  double bytes = 0;
  /// Joules beside those that flow whether or not anything runs.
  double energy = 0;

  Cost& operator+=(const Cost& other) {
    seconds += other.seconds;
    bytes += other.bytes;
    energy += other.energy;
    return *this;
  }
};

/// Of a side that cannot run the operator.
inline constexpr Cost impossible{.seconds = std::numeric_limits<double>::infinity()};

constexpr bool is_possible(const Cost& cost) { return cost.seconds < std::numeric_limits<double>::infinity(); }

}  // namespace pimsweep::systems::llm
