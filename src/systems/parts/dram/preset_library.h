#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "systems/parts/dram/constants.h"

namespace pimsweep::systems::parts::dram {

/// The files dram-NAME.toml of a folder, each of which is complete. A preset goes by NAME and by the `name` that the
/// file gives itself.
class PresetLibrary {
 public:
  /// Throws InputError with all problems of all files.
  explicit PresetLibrary(const std::string& hardware_dir);

  /// In order of their files.
  const std::vector<Preset>& presets() const { return presets_; }
  /// By either name; null if there is none.
  const Preset* find(std::string_view name) const;
  /// That of a study without a hardware file.
  const Preset& standard() const { return *find(default_name); }

  static constexpr std::string_view default_name = "DDR4_2400R";

 private:
  std::vector<Preset> presets_;
};

}  // namespace pimsweep::systems::parts::dram
