#include "base/checked.h"

namespace pimsweep {

void refuse_count(std::int64_t a, char operation, std::int64_t b) {
  throw OverflowError(
      fmt::format("{} {} {} exceeds the range of 64-bit counts: the point is too large", a, operation, b));
}

void refuse_count(double value) {
  throw OverflowError(fmt::format("{:g} exceeds the range of 64-bit counts: the point is too large", value));
}

}  // namespace pimsweep
