#pragma once

#include <limits>

namespace pimsweep::systems::llm::step {

/// Cost of running an operator once on one side of the machine: a GPU, or the PIM devices beside it.
struct Cost {
  double seconds = 0;
  /// Bytes read and written in memory.
  double bytes = 0;
  /// Joules beyond the idle power.
  double energy = 0;

  Cost& operator+=(const Cost& other) {
    seconds += other.seconds;
    bytes += other.bytes;
    energy += other.energy;
    return *this;
  }
  friend Cost operator*(double factor, const Cost& cost) {
    return {factor * cost.seconds, factor * cost.bytes, factor * cost.energy};
  }
};

/// Cost of a side that cannot run the operator.
inline constexpr Cost impossible{.seconds = std::numeric_limits<double>::infinity()};

constexpr bool is_possible(const Cost& cost) { return cost.seconds < std::numeric_limits<double>::infinity(); }

}  // namespace pimsweep::systems::llm::step
