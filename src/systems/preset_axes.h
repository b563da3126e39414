#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "hardware/preset_file/preset_file.h"
#include "systems/system.h"

namespace pimsweep::systems {

/// The value of an axis "preset" that leaves a device to the hardware constants.
inline constexpr const char* preset_from_hardware = "hardware";

/// Constants as axes "hardware.PREFIXkey"; where no file gives one, it is that of the preset `base`.
template <typename Device>
void append_preset_axes(std::vector<Axis>& axes, std::string_view prefix,
                        std::span<const hardware::preset_file::PresetConstant<Device>> constants,
                        const hardware::preset_file::Preset<Device>& base) {
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const hardware::preset_file::PresetKey& key = constants[i];
    Axis axis{fmt::format("hardware.{}{}", prefix, key.key),
              key.type,
              std::string(key.unit),
              base.values[i],
              {},
              {},
              {key.choices.begin(), key.choices.end()},
              std::string(key.doc)};
    if (key.type == ValueType::integer || key.type == ValueType::real) {
      axis.min = key.min;
      axis.max = key.max;
    }
    axes.push_back(std::move(axis));
  }
}

/// The chosen preset's device, else (null) that of a point's constants, the axes from `first` on. Throws PointError
/// where a constant was given, differs from that of `base`, and the chosen preset has another.
template <typename Device>
Device chosen_device(const Point& point, std::size_t first, std::string_view prefix,
                     std::span<const hardware::preset_file::PresetConstant<Device>> constants,
                     const hardware::preset_file::Preset<Device>& base,
                     const hardware::preset_file::Preset<Device>* chosen) {
  Device device;
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const Value& value = point[first + i];
    if (chosen != nullptr && value != base.values[i] && value != chosen->values[i]) {
      throw PointError(fmt::format(
          "preset {0} has hardware.{1}{2} = {3}, but it is given as {4}: leave one out; with "
          "preset = \"{5}\" the constants of the hardware file count",
          chosen->name, prefix, constants[i].key, to_text(chosen->values[i]), to_text(value), preset_from_hardware));
    }
    constants[i].set(device, value);
  }
  return chosen == nullptr ? device : chosen->device;
}

}  // namespace pimsweep::systems
