#include "sweep/config_dir.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "sweep/plan.h"

namespace pimsweep::sweep {

std::string choose_config_dir(const ConfigPlaces& places) {
  std::error_code ignored;
  const auto exists = [&](const std::string& place) {
    return !place.empty() && std::filesystem::is_directory(place, ignored);
  };
  if (places.environment) {
    if (exists(*places.environment)) return *places.environment;
    throw InputError(fmt::format("PIMSWEEP_CONFIGS is '{}', which is not a directory", *places.environment));
  }
  // The installed files come first: an installed program must not depend on its build tree.
  if (exists(places.installed)) return places.installed;
  if (exists(places.source)) return places.source;
  throw InputError(
      fmt::format("the folder of hardware and model files is neither {} nor {}; set PIMSWEEP_CONFIGS to it",
                  places.installed, places.source));
}

std::string find_config_dir() {
  ConfigPlaces places;
  if (const char* environment = std::getenv("PIMSWEEP_CONFIGS")) places.environment = environment;
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    const auto beside_program = [&](const char* place) {
      return (program.parent_path() / place).lexically_normal().string();
    };
    places.installed = beside_program(PIMSWEEP_INSTALLED_CONFIGS);
    places.source = beside_program(PIMSWEEP_SOURCE_CONFIGS);
  }
  return choose_config_dir(places);
}

}  // namespace pimsweep::sweep
