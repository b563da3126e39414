#pragma once

#include <string_view>

#include "systems/system.h"

namespace pimsweep::sweep {

/// The axis whose values are hardware files, and what the axes of their constants begin with.
inline constexpr std::string_view hardware_axis = "hardware";
inline constexpr std::string_view hardware_prefix = "hardware.";

inline bool is_hardware_constant(const systems::Axis& axis) { return axis.name.starts_with(hardware_prefix); }

/// The schema of a system as studies see it: with the axis `hardware` after all others, if it has hardware constants.
/// Systems do not know that axis: to them, hardware is its constants.
systems::Schema with_hardware_axis(systems::Schema schema);

}  // namespace pimsweep::sweep
