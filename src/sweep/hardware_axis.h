#pragma once

#include <string_view>

#include "systems/system.h"

namespace pimsweep::sweep {

/// Name of the axis of hardware files, and prefix of the axes of their constants.
inline constexpr std::string_view hardware_axis = "hardware";
inline constexpr std::string_view hardware_prefix = "hardware.";

inline bool is_hardware_constant(const systems::Axis& axis) { return axis.name.starts_with(hardware_prefix); }

/// The schema of a system with the axis `hardware` appended, if it has hardware constants. Systems see only
/// the constants.
systems::Schema with_hardware_axis(systems::Schema schema);

/// Name of the axis of the sampled machines of `[study.uncertainty]`.
inline constexpr std::string_view draw_axis = "draw";

/// The schema with the axis `draw` appended.
systems::Schema with_draw_axis(systems::Schema schema);

}  // namespace pimsweep::sweep
