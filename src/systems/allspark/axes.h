#pragma once

#include <string>
#include <vector>

#include "systems/allspark/settings.h"
#include "systems/axis_table.h"

namespace pimsweep::systems::allspark {

/// The axes of the system "allspark", each bound to its member of Settings.
AxisTable<Settings> make_axes(const std::vector<std::string>& models);

}  // namespace pimsweep::systems::allspark
