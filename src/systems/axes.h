#pragma once

#include <optional>
#include <string>
#include <vector>

#include "systems/system.h"

namespace pimsweep::systems {

/// Axes by type. One without a default must be given by the experiment, or for "hardware." by the hardware file.
Axis text_axis(std::string name, std::optional<Value> default_value, std::vector<std::string> choices, std::string doc);
Axis flag_axis(std::string name, bool default_value, std::string doc);
Axis count_axis(std::string name, std::optional<Value> default_value, double min, double max, std::string doc);
/// A real number with a unit.
Axis quantity_axis(std::string name, std::string unit, double min, double max, std::string doc);

/// Index of an axis that the schema has.
std::size_t axis_at(const Schema& schema, std::string_view name);

}  // namespace pimsweep::systems
