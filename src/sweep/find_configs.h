#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config_folders.h"

namespace pimsweep::sweep {

/// Candidates for folders of configurations, each of which has any of the folders models, hardware and training.
struct ConfigPlaces {
  /// $PIMSWEEP_CONFIGS: folders separated by ':', in the order of the search.
  std::optional<std::string> environment;
  /// Below the installation prefix of the running program.
  std::string installed;
  /// In the source tree in whose build folder the program lies. It stands for the installed one if that is not there.
  std::string source;
};

/// The folders of the environment, then the installed one, unless it is among them. Throws InputError, naming the
/// folder, if one of the environment is not there or has no configurations, and if there is none at all.
std::vector<ConfigFolder> choose_configs(const ConfigPlaces& places);

/// The folders of this process.
std::vector<ConfigFolder> find_configs();

/// What is in folders of configurations.
ConfigFolders all_folders(const std::vector<ConfigFolder>& configs);

/// The folder of published values, results/published beside the first folder of configurations that has it; beside the
/// last one if none has.
std::string find_published(const std::vector<ConfigFolder>& configs);

}  // namespace pimsweep::sweep
