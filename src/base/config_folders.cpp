#include "base/config_folders.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "base/error.h"

namespace pimsweep {

ConfigFolders::ConfigFolders(const ConfigFolder& root) {
  const auto add = [&](std::vector<ConfigFolder>& folders, const char* name) {
    std::error_code ignored;
    const std::filesystem::path path = std::filesystem::path(root.path) / name;
    if (std::filesystem::is_directory(path, ignored)) folders.push_back({path.string(), root.is_installed});
  };
  add(models, "models");
  add(hardware, "hardware");
  add(training, "training");
}

void ConfigFolders::append(const ConfigFolders& later) {
  models.insert(models.end(), later.models.begin(), later.models.end());
  hardware.insert(hardware.end(), later.hardware.begin(), later.hardware.end());
  training.insert(training.end(), later.training.begin(), later.training.end());
}

std::string joined_paths(const std::vector<ConfigFolder>& folders) {
  if (folders.empty()) return "no folder";
  std::string paths;
  for (const ConfigFolder& folder : folders) paths += (paths.empty() ? "" : ", ") + folder.path;
  return paths;
}

std::vector<std::string> toml_files(const std::string& folder, std::string_view what) {
  std::vector<std::string> paths;
  std::error_code error;
  for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end; file.increment(error)) {
    if (file->path().extension() == ".toml") paths.push_back(file->path().string());
  }
  if (error) throw InputError(fmt::format("cannot read the {} directory '{}': {}", what, folder, error.message()));
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace pimsweep
