#pragma once

#include <cstdint>

#include "base/checked.h"

namespace pimsweep::hardware {

/// ceil(a / b) for a >= 0 and b > 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace pimsweep::hardware
