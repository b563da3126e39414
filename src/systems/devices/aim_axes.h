#pragma once

#include <string_view>

#include "hardware/aim/device.h"
#include "systems/axis_table.h"

namespace pimsweep::systems::devices {

/// The constants of a GDDR6-AiM device as axes "hardware.PREFIXkey".
void add_aim_axes(AxisList& axes, std::string_view prefix, hardware::aim::Device& device);

}  // namespace pimsweep::systems::devices
