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
  explicit HardwareLibrary(std::string config_dir) : config_dir_(std::move(config_dir)) {}
  const std::string& config_dir() const { return config_dir_; }
  /// Throws InputError with all problems of the file.
  std::shared_ptr<const HardwareFile> load(const std::string& name_or_path, const systems::Schema& schema);

 private:
  std::string config_dir_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const HardwareFile>> files_;
};

}  // namespace pimsweep::sweep
