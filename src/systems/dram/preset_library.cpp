#include "systems/dram/preset_library.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "hardware/preset_file/preset_file.h"
#include "systems/dram/constants.h"

namespace pimsweep::dram {

namespace {

constexpr std::string_view file_prefix = "dram-";

std::vector<hardware::PresetKey> preset_keys() {
  std::vector<hardware::PresetKey> keys;
  for (const Constant& c : constants()) {
    keys.push_back({c.key, c.type, c.unit, c.min, c.max, c.doc, hardware::dram::standard_names});
  }
  return keys;
}

Preset make_preset(const hardware::PresetFile& file, ProblemList& problems) {
  Preset preset;
  preset.name = file.name;
  preset.long_name = file.long_name;
  bool complete = true;
  std::string content;
  for (std::size_t i = 0; i < file.values.size(); ++i) {
    const std::optional<Value>& value = file.values[i];
    complete = complete && value.has_value();
    if (value) constants()[i].set(preset.dram, *value);
    preset.values.push_back(value.value_or(Value{}));
    content += to_text(preset.values.back()) + "\n";
  }
  if (complete) {
    if (const std::string problem = problem_of(preset.dram); !problem.empty()) problems.add({file.path, 0, 0}, problem);
  }
  preset.content = hash128(content);
  return preset;
}

}  // namespace

PresetLibrary::PresetLibrary(const std::string& hardware_dir) {
  ProblemList problems;
  const std::vector<hardware::PresetKey> keys = preset_keys();
  for (const std::string& path : hardware::preset_paths(hardware_dir, file_prefix)) {
    Preset preset = make_preset(hardware::read_preset_file(path, file_prefix, keys, {}, problems), problems);
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

}  // namespace pimsweep::dram
