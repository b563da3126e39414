#pragma once

#include <string>

#include "base/toml.h"
#include "sweep/hardware_file.h"

namespace pimsweep::sweep {

/// Reads the table of one constant of a hardware file, `[path]` at `where`. All that is wrong goes to the reader's
/// problems.
HardwareConstant read_hardware_constant(const std::string& path, const systems::Axis& axis, const toml::table& table,
                                        const SourcePosition& where, TomlReader& reader);

}  // namespace pimsweep::sweep
