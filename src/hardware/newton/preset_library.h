#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardware/newton/constants.h"

namespace pimsweep::hardware::newton {

/// The files newton-NAME.toml of a folder, NAME as the artifact writes it ("GDDR6_3500"). What one leaves out it takes
/// from newton-GDDR6_3500.toml, which is complete.
class PresetLibrary {
 public:
  /// Throws InputError with all problems of all files.
  explicit PresetLibrary(const std::string& hardware_dir);

  /// The one that others build on, then the others in order of their files.
  const std::vector<Preset>& presets() const { return presets_; }
  /// Null if there is none.
  const Preset* find(std::string_view name) const;

 private:
  std::vector<Preset> presets_;
};

}  // namespace pimsweep::hardware::newton
