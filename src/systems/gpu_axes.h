#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/gpu/device.h"
#include "systems/system.h"

namespace pimsweep::systems {

/// The constants of a graphics card as axes "hardware.PREFIXkey" (docs/gpu.md).
void append_gpu_axes(std::vector<Axis>& axes, std::string_view prefix);

/// The same for a system that needs no card for all its points: texts are empty and numbers -1 where no card is given.
void append_optional_gpu_axes(std::vector<Axis>& axes, std::string_view prefix);

/// Axis "precision": how numbers are stored and multiplied.
Axis precision_axis();
hardware::gpu::Precision precision_of(const std::string& name);

/// Reads the card of a point whose system has these axes.
class DeviceReader {
 public:
  DeviceReader(const Schema& schema, std::string_view prefix);

  /// With all memory channels.
  hardware::gpu::Device operator()(const Point& point) const;
  const std::string& card(const Point& point) const { return point.text(card_); }
  std::int64_t memory_channels(const Point& point) const { return point.integer(memory_channels_); }
  /// Whether the fitted constants come from measured times of the card itself.
  bool fitted_on_this_card(const Point& point) const { return point.text(fitted_on_) == "this card"; }
  /// The constants that a system with an optional card was not given.
  std::vector<std::string> not_given(const Point& point) const;
  /// Why the card cannot compute in this precision; empty if it can.
  std::string missing_unit(const Point& point, hardware::gpu::Precision precision) const;

 private:
  std::string prefix_;
  std::size_t card_, library_, fitted_on_, memory_channels_;
  /// Axes of the numbers, in the order of their table.
  std::vector<std::size_t> numbers_;
};

}  // namespace pimsweep::systems
