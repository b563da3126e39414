#pragma once

#include <string>

#include "hardware/dram/pattern.h"

namespace pimsweep::systems::parts::dram {

/// Reads "1", "0", "0.67", "0.67 (random)", "0.5 (alternate R,W)" and "0.5 (64 reads then 64 writes, repeating)".
/// Throws PointError that lists these.
hardware::dram::ReadMix parse_read_fraction(const std::string& text);

}  // namespace pimsweep::systems::parts::dram
