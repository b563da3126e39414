#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/config_folders.h"
#include "sweep/hardware_file.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// Reads hardware files for which the system is unknown, and finds the systems that take them.
class HardwareSystems {
 public:
  explicit HardwareSystems(ConfigFolders configs);

  /// The file as read by a system that takes it. If none does, throws InputError with the problems reported by the
  /// system that reports fewest.
  HardwareFile load(const std::string& name_or_path);
  /// The names of all systems that take a file, in the order of the registry; empty if it has mistakes.
  std::vector<std::string> systems_of(const std::string& name_or_path);

 private:
  /// The schema of a system of the registry, made when first asked for; nullptr if it has no hardware constants.
  const systems::Schema* schema(std::size_t system);

  ConfigFolders configs_;
  /// By system.
  std::map<std::size_t, std::optional<systems::Schema>> schemas_;
  /// The system that read the last file, since files of a system often follow each other.
  std::size_t last_ = 0;
};

}  // namespace pimsweep::sweep
