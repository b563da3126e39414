#pragma once

#include <span>
#include <string_view>

#include "systems/upmem/gemv.h"

namespace pimsweep::systems::upmem {

/// A way to place the matrices of a network on DPUs.
struct Policy {
  std::string_view name;
  std::string_view doc;
  GemvCost (*choose)(const GemvCosts& costs, const Matrix& matrix);
  /// Matrices with the same input are one product: never, always, or where that is faster.
  enum class Joins { never, always, if_faster } joins = Joins::never;
};

std::span<const Policy> policies();

}  // namespace pimsweep::systems::upmem
