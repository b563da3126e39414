#pragma once

#include <span>
#include <string>

#include "hardware/dram/dram.h"
#include "hardware/preset_file/preset_file.h"

namespace pimsweep::systems::parts::dram {

using Constant = hardware::preset_file::PresetConstant<hardware::dram::Dram>;
using Preset = hardware::preset_file::Preset<hardware::dram::Dram>;

/// All constants of a DRAM channel.
std::span<const Constant> constants();

/// Why constants that are fine one by one do not make a channel; empty if they do.
std::string problem_of(const hardware::dram::Dram& dram);

}  // namespace pimsweep::systems::parts::dram
