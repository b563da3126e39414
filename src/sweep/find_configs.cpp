#include "sweep/find_configs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "base/error.h"

namespace pimsweep::sweep {

namespace {

bool is_directory(const std::string& path) {
  std::error_code ignored;
  return !path.empty() && std::filesystem::is_directory(path, ignored);
}

bool is_same(const std::string& a, const std::string& b) {
  std::error_code ignored;
  return std::filesystem::equivalent(a, b, ignored);
}

/// The nonempty parts of a list separated by ':'.
std::vector<std::string> parts_of(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ':');) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

/// Throws InputError for an invalid folder of the environment.
void require_configs(const std::string& folder) {
  if (!is_directory(folder)) {
    throw InputError(fmt::format("PIMSWEEP_CONFIGS names '{}', which is not a directory", folder));
  }
  if (ConfigFolders(folder).empty()) {
    throw InputError(fmt::format(
        "PIMSWEEP_CONFIGS names '{}', which does not have any of the folders models, hardware and training", folder));
  }
}

}  // namespace

std::vector<ConfigFolder> choose_configs(const ConfigPlaces& places) {
  // The installed files come first: an installed program must not depend on its build tree.
  const std::string own = is_directory(places.installed) ? places.installed : places.source;
  const bool has_own = is_directory(own);
  std::vector<ConfigFolder> configs;
  bool names_own = false;
  for (const std::string& folder : parts_of(places.environment.value_or(""))) {
    require_configs(folder);
    const bool is_own = has_own && is_same(folder, own);
    names_own = names_own || is_own;
    configs.push_back({folder, is_own});
  }
  if (has_own && !names_own) configs.push_back({own, true});
  if (configs.empty()) {
    throw InputError(
        fmt::format("the folder of hardware and model files is neither {} nor {}; set PIMSWEEP_CONFIGS to it",
                    places.installed, places.source));
  }
  return configs;
}

std::vector<ConfigFolder> find_configs() {
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
  return choose_configs(places);
}

ConfigFolders all_folders(const std::vector<ConfigFolder>& configs) {
  ConfigFolders folders;
  for (const ConfigFolder& root : configs) folders.append(ConfigFolders(root));
  return folders;
}

std::string find_published(const std::vector<ConfigFolder>& configs) {
  const auto published = [](const ConfigFolder& root) {
    return (std::filesystem::path(root.path) / ".." / "results" / "published").lexically_normal().string();
  };
  for (const ConfigFolder& root : configs) {
    if (is_directory(published(root))) return published(root);
  }
  return published(configs.back());
}

}  // namespace pimsweep::sweep
