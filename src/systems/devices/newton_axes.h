#pragma once

#include <string_view>

#include "hardware/newton/dram.h"
#include "systems/axis_table.h"

namespace pimsweep::systems::devices {

/// The constants of a Newton DRAM channel as axes "hardware.PREFIXkey" (docs/newton.md). Machines of a system in which
/// Newton is `optional` need not give them.
void add_newton_axes(AxisList& axes, std::string_view prefix, hardware::newton::Dram& dram, bool optional = false);

}  // namespace pimsweep::systems::devices
