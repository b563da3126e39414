#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "hardware/integer_math.h"

namespace pimsweep::hardware::pe_array {

/// The smallest part, at most `limit`, that cuts `whole` into as few parts as `limit` does. Both positive.
constexpr std::int64_t even_part(std::int64_t whole, std::int64_t limit) {
  return ceil_div(whole, ceil_div(whole, std::min(whole, limit)));
}

/// Calls visit(part) for each number of parts that `whole` can be cut into, with the smallest part for that number,
/// from the largest part up to `limit` down to 1, or until a visit that returns bool returns false.
template <class Visit>
void for_each_part(std::int64_t whole, std::int64_t limit, Visit visit) {
  for (std::int64_t part = std::min(whole, limit); part > 0; --part) {
    part = even_part(whole, part);
    if constexpr (std::is_same_v<std::invoke_result_t<Visit&, std::int64_t>, bool>) {
      if (!visit(part)) return;
    } else {
      visit(part);
    }
  }
}

}  // namespace pimsweep::hardware::pe_array
