#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "systems/axes.h"

namespace pimsweep::systems {

/// A number of a device's data sheet: its key, what it may be, and where it goes.
template <typename Device>
struct DeviceConstant {
  std::string_view key;
  ValueType type;
  std::string_view unit;
  double min;
  double max;
  /// Null: told, but not used by the model.
  double Device::*member;
  std::string_view doc;
};

/// "hardware.PREFIXkey"
inline std::string device_axis_name(std::string_view prefix, std::string_view key) {
  return fmt::format("hardware.{}{}", prefix, key);
}

template <typename Device>
Axis constant_axis(const DeviceConstant<Device>& constant, std::string name) {
  Axis axis =
      quantity_axis(std::move(name), std::string(constant.unit), constant.min, constant.max, std::string(constant.doc));
  axis.type = constant.type;
  return axis;
}

template <typename Device>
Axis device_axis(const DeviceConstant<Device>& constant, std::string_view prefix) {
  return constant_axis(constant, device_axis_name(prefix, constant.key));
}

/// The axes of a table of constants, in its order.
template <typename Device>
std::vector<std::size_t> device_axes(const Schema& schema, std::string_view prefix,
                                     std::span<const DeviceConstant<Device>> table) {
  std::vector<std::size_t> axes;
  for (const auto& constant : table) axes.push_back(axis_at(schema, device_axis_name(prefix, constant.key)));
  return axes;
}

/// Puts a point's values into a device.
template <typename Device>
void read_constants(const Point& point, std::span<const std::size_t> axes,
                    std::span<const DeviceConstant<Device>> table, Device& device) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (table[i].member != nullptr) device.*table[i].member = point.real(axes[i]);
  }
}

}  // namespace pimsweep::systems
