#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/newton/preset_library.h"
#include "systems/preset_axes.h"

namespace pimsweep::systems {

/// Axis "preset": a Newton DRAM by its name, or the hardware constants.
Axis preset_axis(const hardware::newton::PresetLibrary& presets);

/// The constants of a Newton channel as axes "hardware.PREFIXkey". Where no file gives one, it is that of the preset
/// on which others build.
void append_newton_axes(std::vector<Axis>& axes, std::string_view prefix,
                        const hardware::newton::PresetLibrary& presets);

/// Reads the DRAM of a point whose system has these axes.
class DramReader {
 public:
  /// `presets` must outlive the reader.
  DramReader(const Schema& schema, std::string_view prefix, const hardware::newton::PresetLibrary& presets);

  /// The chosen preset, else the hardware constants; throws PointError where both say different things.
  hardware::newton::Dram operator()(const Point& point) const;
  /// Of the chosen preset: what the point depends on beside its axes.
  Hash128 content(const Point& point) const;

 private:
  const hardware::newton::PresetLibrary& presets_;
  std::string prefix_;
  std::size_t preset_;
  /// The axis of the first constant; the others follow.
  std::size_t first_;
};

}  // namespace pimsweep::systems
