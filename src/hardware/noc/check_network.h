#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string_view>

#include "hardware/noc/exchange_network.h"

namespace pimsweep::hardware::noc {

/// Throws std::invalid_argument for a network of `kind` that cannot be built.
inline void check_network(std::string_view kind, std::size_t levels, double bandwidth) {
  if (levels > max_levels) {
    throw std::invalid_argument(fmt::format("{}: {} levels, at most {} are allowed", kind, levels, max_levels));
  }
  if (!(bandwidth > 0) || !std::isfinite(bandwidth)) {
    throw std::invalid_argument(
        fmt::format("{}: a link's bandwidth must be positive and finite, not {} B/s", kind, bandwidth));
  }
}

}  // namespace pimsweep::hardware::noc
