#pragma once

#include <string>
#include <vector>

#include "base/config_folders.h"
#include "sweep/hardware_file.h"
#include "systems/system.h"

namespace pimsweep::commands {

/// Reads hardware files of which it is not known for what system they are.
class AnyHardware {
 public:
  explicit AnyHardware(const ConfigFolders& configs);

  /// The file as a system reads it that can. Throws InputError with what the system objects to that objects to least.
  sweep::HardwareFile load(const std::string& name_or_path);

 private:
  ConfigFolders configs_;
  /// Schemas of systems with hardware constants. The one that has read the last file is first, since files of a system
  /// often follow each other.
  std::vector<systems::Schema> schemas_;
};

}  // namespace pimsweep::commands
