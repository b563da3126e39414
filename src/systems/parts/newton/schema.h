#pragma once

#include <cstdint>

#include "hardware/newton/preset_library.h"
#include "systems/system.h"

namespace pimsweep::systems::parts::newton {

/// The axes before the DRAM's, in the schema's order.
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
  split_out_of_10
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

Schema make_schema(const hardware::newton::PresetLibrary& presets);

}  // namespace pimsweep::systems::parts::newton
