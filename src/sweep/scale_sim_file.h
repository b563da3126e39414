#pragma once

#include <string>
#include <string_view>

#include "sweep/hardware_file.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// Whether a hardware file is a configuration of SCALE-Sim rather than a TOML file.
inline bool is_scale_sim_file(std::string_view path) { return path.ends_with(".cfg"); }

/// Reads the text of a SCALE-Sim configuration as hardware of the system `gemm`: the array and the dataflow become its
/// axes, the three SRAM sizes its buffer. Everything else that the system needs comes from the hardware file
/// gemm-nvdla. What is not taken stands in the notes. Throws InputError with all problems.
HardwareFile parse_scale_sim(const std::string& text, const std::string& path, const systems::Schema& schema,
                             const ConfigFolders& configs);

}  // namespace pimsweep::sweep
