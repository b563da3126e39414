#pragma once

#include <cstdint>

#include "systems/newton/preset_library.h"
#include "systems/system.h"

namespace pimsweep::newton {

/// The axes before the hardware constants, in the schema's order.
enum AxisIndex : std::size_t {
  controller,
  fidelity,
  height,
  width,
  inputs,
  outputs,
  kernel_height,
  kernel_width,
  stride,
  pad,
  channels,
  n_gwrite,
  gwrite_hiding,
  split_out_of_10,
  preset,
  first_constant
};

/// The metrics in the schema's order.
enum MetricIndex : std::size_t {
  pim_cycles,
  time,
  n_gwrite_commands,
  n_g_act,
  n_comp,
  n_readres,
  n_prea,
  n_ref,
  first_grouping,
  second_grouping,
  granularity,
  energy,
  energy_busiest,
  macs,
  macs_issued,
  pim_height,
  pad_height_used,
  pad_width_used
};

/// The value of axis `preset` that leaves the DRAM to the hardware constants.
inline constexpr const char* preset_from_hardware = "hardware";

Schema make_schema(const PresetLibrary& presets);

}  // namespace pimsweep::newton
