#pragma once

#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems::parts {

/// Names of all axes: System::fit_axes() of a system where any combination of values may have no meaning.
std::vector<std::string> axis_names(const Schema& schema);

}  // namespace pimsweep::systems::parts
