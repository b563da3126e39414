#pragma once

#include <string>
#include <vector>

#include "systems/axis_table.h"
#include "systems/rtconc/settings.h"

namespace pimsweep::systems::rtconc {

/// The axes of the system "rtconc"; `models` are the names of all training steps and models.
AxisTable<Settings> make_axes(const std::vector<std::string>& models);

}  // namespace pimsweep::systems::rtconc
