#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sweep/hardware_constant.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// True for a configuration of SCALE-Sim, false for a TOML file.
inline bool is_scale_sim_file(std::string_view path) { return path.ends_with(".cfg"); }

/// Hardware file with the constants that SCALE-Sim does not define: energies, the sizes of values and lines.
inline constexpr const char* scale_sim_base = "gemm-nvdla";

/// A SCALE-Sim configuration as hardware of the system `gemm`.
struct ScaleSimFile {
  /// Name of the run; may be empty.
  std::string name;
  /// The sizes of SRAMs and buffer, by their keys without the prefix "hardware.".
  std::map<std::string, HardwareConstant> constants;
  /// Array size and dataflow, by their axes.
  std::map<std::string, HardwareConstant> settings;
  /// Ignored settings, and the origin of other constants.
  std::vector<std::string> notes;
};

/// Reads the text of a SCALE-Sim configuration. The array and the dataflow become axes, the three SRAM sizes constants,
/// and their sum the buffer. Throws InputError with all problems.
ScaleSimFile parse_scale_sim(const std::string& text, const std::string& path, const systems::Schema& schema);

}  // namespace pimsweep::sweep
