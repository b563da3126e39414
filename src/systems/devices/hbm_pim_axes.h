#pragma once

#include <string_view>

#include "hardware/hbm_pim/device.h"
#include "systems/axis_table.h"

namespace pimsweep::systems::devices {

/// The constants of Samsung's HBM-PIM as axes "hardware.PREFIXkey"; `optional`: their minimum is their default.
void add_hbm_pim_axes(AxisList& axes, std::string_view prefix, hardware::hbm_pim::Device& device,
                      bool optional = false);

}  // namespace pimsweep::systems::devices
