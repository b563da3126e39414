#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/config_folders.h"
#include "sweep/hardware_constant.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// A machine description from configs/hardware, checked against the axes of a system. `[parts]` composes
/// a machine from other files: `gpu = "gpu-v100"` includes that file's constants as gpu.clock, gpu.sm.count and so on,
/// unless the file itself overrides them.
struct HardwareFile {
  /// Name given in the file, otherwise its short name.
  std::string name;
  /// File name without folder and .toml, which is the value of the axis `hardware`.
  std::string short_name;
  std::string path;
  /// Text of the file, followed by the texts of its parts.
  std::string text;
  std::string doc;
  /// The section that its constants are in: that of a part, or empty for a machine.
  std::string section;
  /// The file of a GPU: several systems take it, and each uses some of its constants.
  bool is_gpu = false;
  /// Constants by their keys without the prefix "hardware.".
  std::map<std::string, HardwareConstant> constants;
  /// Values of other axes by their names, used if a study does not set them. Only files of other programs have them.
  std::map<std::string, HardwareConstant> settings;
  /// Notes about a file of another program, such as ignored settings.
  std::vector<std::string> notes;

  /// The value of an axis, or nullptr if the file does not set it.
  const HardwareConstant* find(const systems::Axis& axis) const;
};

/// True for the path of a hardware file, false for the name of a file in configs/hardware.
bool is_hardware_path(const std::string& name_or_path);

/// Returns "gpu-v100" for "gpu-v100" and for "../gpus/gpu-v100.toml".
std::string short_hardware_name(const std::string& name_or_path);

/// The path of a hardware file, given by its name or path. Throws InputError if no hardware folder has a file of this
/// name.
std::string hardware_path(const std::string& name_or_path, const ConfigFolders& configs);

/// Reads a hardware file or a configuration of SCALE-Sim (scale_sim_file.h). A name is searched for in the hardware
/// folders. Constants whose axis has a default may be omitted. Throws one InputError with all unknown, missing and
/// ill-typed keys and all values out of range. `section`: empty, or memory_section: then the file is that of a memory,
/// and what it has only for system `dram` is left out.
HardwareFile load_hardware(const std::string& name_or_path, const systems::Schema& schema, const ConfigFolders& configs,
                           std::string_view section = {});
/// Reads the text of a hardware file as if it were the file `path`.
HardwareFile parse_hardware(const std::string& text, const std::string& path, const systems::Schema& schema,
                            const ConfigFolders& configs);

/// The sorted, distinct names of the files in the hardware folders.
std::vector<std::string> hardware_names(const ConfigFolders& configs);

/// True if a system takes a hardware file, as a section of its machines if one is given.
bool is_hardware_of(const std::string& name_or_path, const systems::Schema& schema, const ConfigFolders& configs,
                    std::string_view section = {});
/// Names of the files in the hardware folders that a system takes.
std::vector<std::string> hardware_names_for(const systems::Schema& schema, const ConfigFolders& configs,
                                            std::string_view section = {});

/// The hardware files of an experiment, each read once per system.
class HardwareLibrary {
 public:
  explicit HardwareLibrary(ConfigFolders configs) : configs_(std::move(configs)) {}
  const ConfigFolders& configs() const { return configs_; }
  /// Throws InputError with all problems of the file.
  std::shared_ptr<const HardwareFile> load(const std::string& name_or_path, const systems::Schema& schema,
                                           std::string_view section);

 private:
  ConfigFolders configs_;
  /// By system, section and name.
  std::map<std::tuple<std::string, std::string, std::string>, std::shared_ptr<const HardwareFile>> files_;
};

}  // namespace pimsweep::sweep
