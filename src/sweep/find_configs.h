#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config_folders.h"

namespace pimsweep::sweep {

/// Candidates for configuration folders, which have any of the subfolders models, hardware and training.
struct ConfigPlaces {
  /// $PIMSWEEP_CONFIGS: folders separated by ':', in search order.
  std::optional<std::string> environment;
  /// Below the installation prefix of the running program.
  std::string installed;
  /// Folder of the source tree, if the program is in its build folder. Replaces a missing installed folder.
  std::string source;
};

/// The folders of the environment, then the installed one, unless it is among them. Throws InputError if a folder of
/// the environment is missing or lacks configurations, and if there is no folder at all.
std::vector<ConfigFolder> choose_configs(const ConfigPlaces& places);

/// The folders of this process.
std::vector<ConfigFolder> find_configs();

/// The search paths in configuration folders.
ConfigFolders all_folders(const std::vector<ConfigFolder>& configs);

/// The folder of published values: results/published next to the first configuration folder that has it, or next to the
/// last one.
std::string find_published(const std::vector<ConfigFolder>& configs);

}  // namespace pimsweep::sweep
