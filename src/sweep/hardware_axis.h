#pragma once

#include <string_view>

#include "systems/system.h"

namespace pimsweep::sweep {

/// Name of the axis of hardware files, and prefix of the axes of their constants.
inline constexpr std::string_view hardware_axis = "hardware";
inline constexpr std::string_view hardware_prefix = "hardware.";

inline bool is_hardware_constant(const systems::Axis& axis) { return axis.name.starts_with(hardware_prefix); }

/// Name of the axis of memories on which PIM works: hardware files of system `dram`, whose constants are those of this
/// section. It is empty where PIM has the memory of its hardware file.
inline constexpr std::string_view memory_axis = "memory";
inline constexpr std::string_view memory_section = "memory";
/// A constant that the memory of PIM has, and that of no other system.
inline constexpr std::string_view memory_clock = "memory.clock_period";

inline bool is_memory_constant(const systems::Axis& axis) { return axis.name.starts_with("hardware.memory."); }

/// The schema of a system with the axis `hardware` appended, if it has hardware constants, and with the axis `memory`,
/// if it has PIM that works on any memory. Systems see only the constants.
systems::Schema with_hardware_axis(systems::Schema schema);

/// Name of the axis of the sampled machines of `[study.uncertainty]`.
inline constexpr std::string_view draw_axis = "draw";

/// The schema with the axis `draw` appended.
systems::Schema with_draw_axis(systems::Schema schema);

}  // namespace pimsweep::sweep
