#pragma once

#include <cstdint>
#include <string>

#include "sweep/plan.h"

namespace pimsweep::commands {

/// The number that --point gives, for `owner` with so many points. Throws InputError if there is no such point.
std::uint64_t point_number(std::int64_t given, std::uint64_t points, const std::string& owner);

/// The point of a plan that --point gives. Throws InputError if there is none, or if it is one of a search, whose
/// points are known only when it has run.
sweep::Plan::Location planned_point(std::int64_t given, const sweep::Plan& plan, const std::string& owner);

}  // namespace pimsweep::commands
