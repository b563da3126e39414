#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/config_folders.h"
#include "base/error.h"
#include "base/value.h"
#include "base/words.h"
#include "sweep/sample_range.h"
#include "systems/system.h"

namespace pimsweep::sweep {

/// What the value of a constant rests on.
enum class Basis : std::uint8_t {
  document,   ///< a paper, a data sheet or a standard prints it
  derived,    ///< computed from printed values
  assumed,    ///< nothing prints it
  calibrated  ///< fitted to measured or published results
};
inline constexpr std::array basis_words{Word{"document", Basis::document}, Word{"derived", Basis::derived},
                                        Word{"assumed", Basis::assumed}, Word{"calibrated", Basis::calibrated}};

/// What else a constant may be: `low` and `high`, or `alternatives`.
struct Uncertainty {
  /// All values, equally likely on a linear scale, or on a logarithmic one where high / low is above 3. A list begins
  /// with the constant's own value.
  SampleRange range;
  /// Where the range is from.
  std::string source;
  /// Constants of the same nonempty word are drawn at the same place of their ranges.
  std::string tied;
};

/// One constant of a hardware file: `[section.key]` with `value`, `source`, optionally `basis`, a range, `note`, and
/// `calibrated = ["published id", ...]` if fitted to published values.
struct HardwareConstant {
  /// SI value of the type and dimension declared by the system's axis "hardware.<key>".
  Value value;
  std::string source;
  Basis basis = Basis::document;
  std::optional<Uncertainty> uncertainty;
  /// Ids of the published values that it was fitted to; empty if it comes from a document.
  std::vector<std::string> calibrated_to;
  SourcePosition where;
};

/// A machine description from configs/hardware, checked against the axes of the system that uses it. `[parts]` composes
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
  /// Constants by their keys without the prefix "hardware.".
  std::map<std::string, HardwareConstant> constants;
  /// Values of other axes by their names, which hold where a study sets none. Only files of other programs have them.
  std::map<std::string, HardwareConstant> settings;
  /// What the user should know about a file of another program: what of it is ignored.
  std::vector<std::string> notes;

  /// The value for an axis, or nullptr if the file has none.
  const HardwareConstant* find(const systems::Axis& axis) const;
};

/// Whether hardware is given by its path rather than by the name of a file of configs/hardware.
bool is_hardware_path(const std::string& name_or_path);

/// Returns "gpu-v100" for "gpu-v100" and for "../cards/gpu-v100.toml".
std::string short_hardware_name(const std::string& name_or_path);

/// The path of a hardware file that is given by its name or by its path. Throws InputError if no folder of hardware has
/// a file of this name.
std::string hardware_path(const std::string& name_or_path, const ConfigFolders& configs);

/// Reads `name_or_path`, which may be a configuration of SCALE-Sim (scale_sim_file.h); a name is looked for in the
/// folders of hardware. Constants whose axis has a default may be
/// omitted. Unknown, missing and ill-typed keys and values outside an axis's range are all reported together in one
/// InputError.
HardwareFile load_hardware(const std::string& name_or_path, const systems::Schema& schema,
                           const ConfigFolders& configs);
/// Reads the text of a hardware file as if it were the file `path`.
HardwareFile parse_hardware(const std::string& text, const std::string& path, const systems::Schema& schema,
                            const ConfigFolders& configs);

/// Names of the files in the folders of hardware, sorted, each once.
std::vector<std::string> hardware_names(const ConfigFolders& configs);

}  // namespace pimsweep::sweep
