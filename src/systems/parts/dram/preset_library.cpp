#include "systems/parts/dram/preset_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/error.h"

namespace pimsweep::systems::parts::dram {

namespace {

constexpr std::string_view file_prefix = "dram-";

Preset read_preset(const std::string& path, std::span<const hardware::preset_file::PresetKey> keys,
                   ProblemList& problems) {
  const hardware::preset_file::PresetFile file =
      hardware::preset_file::read_preset_file(path, file_prefix, keys, {}, problems);
  Preset preset = hardware::preset_file::make_preset(file, constants());
  if (std::all_of(file.values.begin(), file.values.end(), [](const auto& value) { return value.has_value(); })) {
    if (const std::string problem = problem_of(preset.device); !problem.empty()) problems.add({path, 0, 0}, problem);
  }
  return preset;
}

}  // namespace

PresetLibrary::PresetLibrary(const std::string& hardware_dir) {
  ProblemList problems;
  const std::vector<hardware::preset_file::PresetKey> keys(constants().begin(), constants().end());
  for (const std::string& path : hardware::preset_file::preset_paths(hardware_dir, file_prefix)) {
    Preset preset = read_preset(path, keys, problems);
    for (const std::string& name : {preset.name, preset.long_name}) {
      if (find(name) != nullptr) problems.add({path, 0, 0}, fmt::format("a preset '{}' is there already", name));
    }
    presets_.push_back(std::move(preset));
  }
  problems.throw_if_any();
  if (find(default_name) == nullptr) {
    throw InputError(fmt::format("'{}' lacks {}{}.toml, the DRAM of studies that name none", hardware_dir, file_prefix,
                                 default_name));
  }
}

const Preset* PresetLibrary::find(std::string_view name) const {
  const auto found = std::find_if(presets_.begin(), presets_.end(), [&](const Preset& preset) {
    return preset.name == name || preset.long_name == name;
  });
  return found == presets_.end() ? nullptr : &*found;
}

}  // namespace pimsweep::systems::parts::dram
