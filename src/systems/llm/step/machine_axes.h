#pragma once

#include "systems/axis_table.h"
#include "systems/llm/step/machine.h"

namespace pimsweep::systems::llm::step {

/// The constants of a machine as axes "hardware.*", those of all kinds of PIM among them.
void add_machine_axes(AxisList& axes, Machine& machine);

}  // namespace pimsweep::systems::llm::step
