#pragma once

#include <cstdint>

#include "hardware/noc/router/bits.h"

namespace pimsweep::noc {

/// The first of the urgent members at or after the pointer; of the others only if there is none.
template <typename Set>
unsigned arbitrate(Set candidates, Set urgent, unsigned pointer) {
  const Set first = candidates & urgent;
  return first_from(first != 0 ? first : candidates, pointer);
}

/// The member behind `winner`, where a round-robin pointer goes after a match.
inline std::uint8_t behind(unsigned winner, unsigned members) {
  return static_cast<std::uint8_t>(winner + 1 == members ? 0 : winner + 1);
}

}  // namespace pimsweep::noc
