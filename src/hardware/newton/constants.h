#pragma once

#include <span>

#include "hardware/newton/dram.h"
#include "hardware/preset_file/preset_file.h"

namespace pimsweep::hardware::newton {

using Constant = preset_file::PresetConstant<Dram>;
using Preset = preset_file::Preset<Dram>;

/// All constants of a Newton channel.
std::span<const Constant> constants();

}  // namespace pimsweep::hardware::newton
