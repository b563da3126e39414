#pragma once

#include <string>
#include <vector>

#include "systems/axis_table.h"
#include "systems/llm/settings.h"

namespace pimsweep::systems::llm {

/// All axes of the system "llm".
AxisTable<Settings> make_axes(const std::vector<std::string>& models);

}  // namespace pimsweep::systems::llm
