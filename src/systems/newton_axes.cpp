#include "systems/newton_axes.h"

#include <fmt/format.h>

#include "base/error.h"
#include "hardware/newton/constants.h"
#include "systems/axes.h"

namespace pimsweep::systems {

namespace {}  // namespace

Axis preset_axis(const hardware::newton::PresetLibrary& presets) {
  std::vector<std::string> names{preset_from_hardware};
  for (const hardware::newton::Preset& known : presets.presets()) names.push_back(known.name);
  return text_axis("preset", Value{std::string(preset_from_hardware)}, std::move(names),
                   "DRAM preset by its name in the artifact; 'hardware' takes the hardware constants of the study");
}

void append_newton_axes(std::vector<Axis>& axes, std::string_view prefix,
                        const hardware::newton::PresetLibrary& presets) {
  append_preset_axes(axes, prefix, hardware::newton::constants(), presets.presets().front());
}

DramReader::DramReader(const Schema& schema, std::string_view prefix, const hardware::newton::PresetLibrary& presets)
    : presets_(presets),
      prefix_(prefix),
      preset_(axis_at(schema, "preset")),
      first_(axis_at(schema, fmt::format("hardware.{}{}", prefix, hardware::newton::constants().front().key))) {}

hardware::newton::Dram DramReader::operator()(const Point& point) const {
  return chosen_device(point, first_, prefix_, hardware::newton::constants(), presets_.presets().front(),
                       presets_.find(point.text(preset_)));
}

Hash128 DramReader::content(const Point& point) const {
  const hardware::newton::Preset* chosen = presets_.find(point.text(preset_));
  return chosen == nullptr ? Hash128{} : chosen->content;
}

}  // namespace pimsweep::systems
