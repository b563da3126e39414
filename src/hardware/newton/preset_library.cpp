#include "hardware/newton/preset_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"

namespace pimsweep::hardware::newton {

namespace {

constexpr std::string_view file_prefix = "newton-";
constexpr std::string_view base_file = "newton-GDDR6_3500.toml";

/// The files, the complete one first.
std::vector<std::string> base_first(const std::string& directory) {
  std::vector<std::string> paths = preset_file::preset_paths(directory, file_prefix);
  const auto base = std::find_if(paths.begin(), paths.end(),
                                 [](const auto& path) { return std::filesystem::path(path).filename() == base_file; });
  if (base == paths.end()) {
    throw InputError(fmt::format("'{}' lacks {}, which every Newton preset builds on", directory, base_file));
  }
  std::rotate(paths.begin(), base, base + 1);
  return paths;
}

}  // namespace

PresetLibrary::PresetLibrary(const std::string& hardware_dir) {
  ProblemList problems;
  const std::vector<preset_file::PresetKey> keys(constants().begin(), constants().end());
  for (const std::string& path : base_first(hardware_dir)) {
    const std::span<const Value> defaults = presets_.empty() ? std::span<const Value>{} : presets_.front().values;
    presets_.push_back(preset_file::make_preset(
        preset_file::read_preset_file(path, file_prefix, keys, defaults, problems), constants()));
  }
  problems.throw_if_any();
}

const Preset* PresetLibrary::find(std::string_view name) const {
  const auto found =
      std::find_if(presets_.begin(), presets_.end(), [&](const Preset& preset) { return preset.name == name; });
  return found == presets_.end() ? nullptr : &*found;
}

}  // namespace pimsweep::hardware::newton
