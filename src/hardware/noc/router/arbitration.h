#pragma once

#include <cstdint>

#include "hardware/noc/router/bits.h"

namespace pimsweep::hardware::noc::router {

/// The first candidate at or after the pointer that is not deferred, or the first deferred one if there is no other.
template <typename Set>
unsigned arbitrate(Set candidates, Set deferred, unsigned pointer) {
  const Set first = candidates & ~deferred;
  return first_from(first != 0 ? first : candidates, pointer);
}

/// The member after `winner`: the round-robin pointer after a match.
inline std::uint8_t behind(unsigned winner, unsigned members) {
  return static_cast<std::uint8_t>(winner + 1 == members ? 0 : winner + 1);
}

}  // namespace pimsweep::hardware::noc::router
