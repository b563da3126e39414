#pragma once

#include <optional>
#include <string>

namespace pimsweep::sweep {

/// Where configs/ may be.
struct ConfigPlaces {
  /// $PIMSWEEP_CONFIGS, if set: then nothing else counts.
  std::optional<std::string> environment;
  /// Below the installation prefix of the running program.
  std::string installed;
  /// In the source tree that built it.
  std::string source;
};

/// The first place that exists. Throws InputError listing the places tried.
std::string choose_config_dir(const ConfigPlaces& places);

}  // namespace pimsweep::sweep
