#pragma once

#include <optional>
#include <string>

namespace pimsweep::sweep {

/// Candidate locations of configs/.
struct ConfigPlaces {
  /// $PIMSWEEP_CONFIGS, which overrides the other locations if it is set.
  std::optional<std::string> environment;
  /// Below the installation prefix of the running program.
  std::string installed;
  /// In the source tree in whose build folder the program lies.
  std::string source;
};

/// The first location that exists. Throws InputError listing the locations tried.
std::string choose_config_dir(const ConfigPlaces& places);

}  // namespace pimsweep::sweep
