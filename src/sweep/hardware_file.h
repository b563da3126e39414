#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/value.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// One constant of a hardware file: `[section.key]` with `value`, `source`, optionally `note`, and
/// `calibrated = ["published id", ...]` if fitted.
struct HardwareConstant {
  /// SI, in the type and dimension that the system's axis "hardware.<key>" declares.
  Value value;
  std::string source;
  /// Ids of the published values that it was fitted to; empty when it comes from a document.
  std::vector<std::string> calibrated_to;
  SourcePosition where;
};

/// A machine description from configs/hardware, checked against the axes of the system that uses it. `[parts]` makes a
/// machine of other files: `gpu = "gpu-v100"` takes that file's constants as gpu.clock, gpu.sm.count and so on, unless
/// the file itself gives them.
struct HardwareFile {
  /// As the file says, else its short name.
  std::string name;
  /// The file's name without folder and .toml: its value of the axis `hardware`.
  std::string short_name;
  std::string path;
  /// The file, and then those of its parts.
  std::string text;
  std::string doc;
  /// Key without the "hardware." prefix.
  std::map<std::string, HardwareConstant> constants;

  /// The constant of an axis, null if the file has none.
  const HardwareConstant* find(const systems::Axis& axis) const;
};

/// "gpu-v100" for "gpu-v100" and for "../cards/gpu-v100.toml".
std::string short_hardware_name(const std::string& name_or_path);

/// Reads `name_or_path` (a name means config_dir/hardware/<name>.toml). Unknown, missing and ill-typed keys are all
/// reported together in one InputError; values outside an axis' range as well.
/// Constants whose axis has a default may be left out.
HardwareFile load_hardware(const std::string& name_or_path, const systems::Schema& schema,
                           const std::string& config_dir);

/// Names of the files in config_dir/hardware, sorted.
std::vector<std::string> hardware_names(const std::string& config_dir);

}  // namespace pimsweep::sweep
