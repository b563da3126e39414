#pragma once

#include <string>
#include <vector>

#include "systems/axis_table.h"
#include "systems/heteropim/settings.h"

namespace pimsweep::systems::heteropim {

/// The axes of the system "heteropim"; `models` are the names of all training steps and models.
AxisTable<Settings> make_axes(const std::vector<std::string>& models);

}  // namespace pimsweep::systems::heteropim
