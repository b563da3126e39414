#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "base/value.h"

namespace pimsweep::hardware::preset_file {

/// What a key of a preset file may hold: an integer (unit "1"), a quantity, a boolean, or one of several texts.
/// A number of type integer with a unit is a quantity that is cut to an integer.
struct PresetKey {
  std::string_view key;
  ValueType type;
  std::string_view unit;
  double min;
  double max;
  std::string_view doc;
  /// What a text may be.
  std::span<const std::string_view> choices{};
};

/// A key with what it sets of a device.
template <typename Device>
struct PresetConstant : PresetKey {
  void (*set)(Device& device, const Value& value);
};

/// One file of a family "PREFIXname.toml", read and checked.
struct PresetFile {
  /// The file's name without prefix and extension.
  std::string name;
  /// The name that the file gives itself; else `name`.
  std::string long_name;
  std::string path;
  /// In the order of the keys; empty where the file has no value, or a wrong one.
  std::vector<std::optional<Value>> values;
};

/// A device that a preset file describes.
template <typename Device>
struct Preset {
  std::string name;
  std::string long_name;
  /// In the order of the constants.
  std::vector<Value> values;
  Device device;
  Hash128 content;
};

/// Of a file with problems the constants without a value stay as they are.
template <typename Device>
Preset<Device> make_preset(const PresetFile& file, std::span<const PresetConstant<Device>> constants) {
  Preset<Device> preset{file.name, file.long_name, {}, {}, {}};
  std::string content;
  for (std::size_t i = 0; i < constants.size(); ++i) {
    if (file.values[i]) constants[i].set(preset.device, *file.values[i]);
    preset.values.push_back(file.values[i].value_or(Value{}));
    content += to_text(preset.values.back()) + "\n";
  }
  preset.content = hash128(content);
  return preset;
}

/// The files "PREFIXname.toml" of a folder, in order of their names. Throws InputError if it cannot be read.
std::vector<std::string> preset_paths(const std::string& directory, std::string_view prefix);

/// Reads [key] value = ... of every key. What is wrong (syntax, unknown keys, types, ranges) goes to `problems`.
/// Keys that are missing take `defaults`, one value for each key; without defaults they are a problem.
PresetFile read_preset_file(const std::string& path, std::string_view prefix, std::span<const PresetKey> keys,
                            std::span<const Value> defaults, ProblemList& problems);

}  // namespace pimsweep::hardware::preset_file
