#pragma once

#include <string>
#include <string_view>

#include "hardware/model_error.h"
#include "systems/axis_table.h"

namespace pimsweep::systems::devices {

/// End of the name of an error by shape, which is otherwise that of the common one.
inline constexpr std::string_view by_shape_suffix = "_by_shape";

/// The error of the modeled times of a class of kernels as two axes, `key` and the one by shape (docs/uncertainty.md).
void add_error_axes(AxisList& axes, hardware::ModelError& error, const std::string& key, std::string_view kernels);

}  // namespace pimsweep::systems::devices
