#pragma once

#include "systems/axis_table.h"
#include "systems/llm/machine.h"

namespace pimsweep::systems::llm {

/// The constants of a machine's cards as axes "hardware.gpu.*". A machine without cards gives none of them.
void add_card_axes(AxisList& axes, Cards& cards);

}  // namespace pimsweep::systems::llm
