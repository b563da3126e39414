#pragma once

#include <fmt/format.h>

#include "base/error.h"

namespace pimsweep::hardware {

/// Throws PointError unless a refresh interval of `interval` clocks is longer than a refresh of `busy` clocks.
template <typename Clocks>
void require_time_between_refreshes(Clocks interval, Clocks busy) {
  if (interval > busy) return;
  throw PointError(
      fmt::format("a refresh every {} clocks takes {} clocks: nREFI has to be larger than that", interval, busy));
}

}  // namespace pimsweep::hardware
