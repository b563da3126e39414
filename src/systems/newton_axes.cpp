#include "systems/newton_axes.h"

#include <fmt/format.h>

#include "base/error.h"
#include "hardware/newton/constants.h"
#include "systems/axes.h"

namespace pimsweep {

namespace {

using namespace hardware::newton;

std::string axis_name(std::string_view prefix, const Constant& constant) {
  return fmt::format("hardware.{}{}", prefix, constant.key);
}

}  // namespace

Axis preset_axis(const PresetLibrary& presets) {
  std::vector<std::string> names{preset_from_hardware};
  for (const Preset& known : presets.presets()) names.push_back(known.name);
  return text_axis("preset", Value{std::string(preset_from_hardware)}, std::move(names),
                   "DRAM preset by its name in the artifact; 'hardware' takes the hardware constants of the study");
}

void append_newton_axes(std::vector<Axis>& axes, std::string_view prefix, const PresetLibrary& presets) {
  for (std::size_t i = 0; i < constants().size(); ++i) {
    const Constant& constant = constants()[i];
    Axis axis{axis_name(prefix, constant),
              constant.type(),
              std::string(constant.unit),
              presets.presets().front().values[i],
              {},
              {},
              {},
              std::string(constant.doc)};
    if (constant.type() != ValueType::boolean) {
      axis.min = constant.min;
      axis.max = constant.max;
    }
    axes.push_back(std::move(axis));
  }
}

DramReader::DramReader(const Schema& schema, std::string_view prefix, const PresetLibrary& presets)
    : presets_(presets),
      prefix_(prefix),
      preset_(axis_at(schema, "preset")),
      first_(axis_at(schema, axis_name(prefix, constants().front()))) {}

Dram DramReader::operator()(const Point& point) const {
  const Preset* chosen = presets_.find(point.text(preset_));
  Dram dram;
  for (std::size_t i = 0; i < constants().size(); ++i) {
    const Value& value = point[first_ + i];
    if (chosen != nullptr && value != presets_.presets().front().values[i] && value != chosen->values[i]) {
      throw PointError(
          fmt::format("preset {0} has {1} = {2}, but it is given as {3}: leave one out; with "
                      "preset = \"{4}\" the constants of the hardware file count",
                      chosen->name, axis_name(prefix_, constants()[i]), to_text(chosen->values[i]), to_text(value),
                      preset_from_hardware));
    }
    constants()[i].set(dram, value);
  }
  return chosen == nullptr ? dram : chosen->dram;
}

Hash128 DramReader::content(const Point& point) const {
  const Preset* chosen = presets_.find(point.text(preset_));
  return chosen == nullptr ? Hash128{} : chosen->content;
}

}  // namespace pimsweep
