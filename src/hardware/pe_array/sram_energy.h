#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <stdexcept>

namespace pimsweep::hardware::pe_array {

/// Energy of an access of an SRAM at three capacities, in J. Between them, and beyond, the logarithm of the energy is
/// linear in that of the capacity.
struct SramEnergies {
  double at_8_kib = 0;
  double at_32_kib = 0;
  double at_1_mib = 0;

  /// Throws std::invalid_argument if an energy is not positive, or lower than that of a smaller memory.
  double of(double bytes) const {
    if (!(at_8_kib > 0 && at_32_kib >= at_8_kib && at_1_mib >= at_32_kib)) {
      throw std::invalid_argument("energies of an SRAM must be positive and increase with its capacity");
    }
    constexpr std::array capacities{0x1p13, 0x1p15, 0x1p20};
    const std::array energies{at_8_kib, at_32_kib, at_1_mib};
    const std::size_t i = bytes < capacities[1] ? 0 : 1;
    const double slope = std::log(energies[i + 1] / energies[i]) / std::log(capacities[i + 1] / capacities[i]);
    return energies[i] * std::pow(bytes / capacities[i], slope);
  }
};

}  // namespace pimsweep::hardware::pe_array
