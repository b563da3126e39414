#pragma once

#include <optional>
#include <string>

#include "base/error.h"
#include "base/placed_text.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// Unit of an expression over the axes of `names`, as a product of SI units ("s*J"), by the rules of units: sums and
/// comparisons need equal units, functions such as exp plain numbers, and powers of quantities whole exponents; 0 has
/// any unit. The expression must have compiled as a Condition. Empty after a violation, which is reported at its
/// operator.
std::optional<std::string> unit_of_expression(const PlacedText& text, const systems::Schema& names,
                                              ProblemList& problems);

}  // namespace pimsweep::sweep
