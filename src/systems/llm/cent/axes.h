#pragma once

#include <string_view>

#include "systems/axis_table.h"
#include "systems/llm/cent/machine.h"

namespace pimsweep::systems::llm::cent {

/// The constants of CENT's machine as axes "hardware.PREFIXkey", those of its DRAM as "hardware.PREFIXaim.key".
void add_axes(AxisList& axes, std::string_view prefix, Machine& machine);

}  // namespace pimsweep::systems::llm::cent
