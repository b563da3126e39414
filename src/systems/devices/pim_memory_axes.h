#pragma once

#include "hardware/pim_memory/conditions.h"
#include "systems/axis_table.h"

namespace pimsweep::systems::devices {

/// The axis `refresh_rate`, the power limit as an axis of this name, and a memory's constants as axes
/// "hardware.memory.KEY", which the axis `memory` of an experiment sets (sweep/hardware_axis.h).
void add_pim_memory_axes(AxisList& axes, std::string_view power_limit, hardware::pim_memory::Conditions& conditions);

}  // namespace pimsweep::systems::devices
