#pragma once

#include <cstdint>

#include "systems/parts/dram/preset_library.h"
#include "systems/system.h"

namespace pimsweep::systems::parts::dram {

/// The axes before the hardware constants, in the schema's order.
enum AxisIndex : std::size_t {
  fidelity,
  standard,
  preset,
  pattern,
  requests,
  read_fraction,
  mapping,
  scheduler,
  refresh,
  row_policy,
  read_queue,
  write_queue,
  seed,
  first_constant
};

/// The value of axis `standard` that goes with every preset.
inline constexpr const char* any_standard = "any";

Schema make_schema(const PresetLibrary& presets);

}  // namespace pimsweep::systems::parts::dram
