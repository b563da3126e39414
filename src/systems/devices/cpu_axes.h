#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "hardware/manycore/device.h"
#include "systems/axis_table.h"

namespace pimsweep::systems::devices {

/// Whose measured times the fitted constants of a processor come from.
enum class FittedOn : std::uint8_t { this_processor, another_processor, nothing };

/// A many-core processor as the axes of a point give it.
struct Cpu {
  /// The name that measured rows have.
  std::string name;
  FittedOn fitted_on = FittedOn::nothing;
  hardware::manycore::Device device;
};

/// The constants of a processor as axes "hardware.PREFIXkey" (docs/manycore.md).
void add_cpu_axes(AxisList& axes, std::string_view prefix, Cpu& cpu);

}  // namespace pimsweep::systems::devices
