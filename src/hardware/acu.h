#pragma once

#include <cstdint>

#include "hardware/integer_math.h"

namespace pimsweep::hardware {

/// Cycles of the auxiliary computing unit for a nonlinear operator that makes `passes` passes over `elements` values at
/// `lanes` values per cycle (softmax, layer norm, GELU; Allspark, Sec. III-B). The paper synthesized its unit but
/// reports neither lanes nor passes: both are constants of the hardware file.
constexpr std::int64_t acu_cycles(std::int64_t elements, std::int64_t passes, std::int64_t lanes) {
  return ceil_div(Count{elements} * passes, lanes);
}

}  // namespace pimsweep::hardware
