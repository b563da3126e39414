#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "sweep/hardware_file.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// The hardware files of an experiment, read once per system that uses them.
class HardwareLibrary {
 public:
  explicit HardwareLibrary(ConfigFolders configs) : configs_(std::move(configs)) {}
  const ConfigFolders& configs() const { return configs_; }
  /// Throws InputError with all problems of the file.
  std::shared_ptr<const HardwareFile> load(const std::string& name_or_path, const systems::Schema& schema);

 private:
  ConfigFolders configs_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const HardwareFile>> files_;
};

}  // namespace pimsweep::sweep
