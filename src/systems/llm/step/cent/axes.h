#pragma once

#include <string_view>

#include "systems/axis_table.h"
#include "systems/llm/step/cent/machine.h"

namespace pimsweep::systems::llm::step::cent {

/// The constants of CENT's machine as axes "hardware.PREFIXkey", without those of its DRAM (devices::add_aim_axes). A
/// machine of another kind gives none of them.
void add_axes(AxisList& axes, std::string_view prefix, Machine& machine);

}  // namespace pimsweep::systems::llm::step::cent
