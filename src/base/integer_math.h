#pragma once

#include <cstdint>

namespace pimsweep {

/// ceil(a / b) for a >= 0 and b > 0.
constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

}  // namespace pimsweep
