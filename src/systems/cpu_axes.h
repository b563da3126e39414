#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "hardware/manycore/device.h"
#include "systems/system.h"

namespace pimsweep::systems {

/// The constants of a processor as axes "hardware.PREFIXkey" (docs/manycore.md).
void append_cpu_axes(std::vector<Axis>& axes, std::string_view prefix);

/// Reads the processor of a point whose system has these axes.
class CpuReader {
 public:
  CpuReader(const Schema& schema, std::string_view prefix);

  hardware::manycore::Device operator()(const Point& point) const;
  const std::string& name(const Point& point) const { return point.text(name_); }
  /// Whether the fitted constants come from measured times of the processor itself.
  bool fitted_on_this_processor(const Point& point) const { return point.text(fitted_on_) == "this processor"; }

 private:
  std::size_t name_, fitted_on_;
  /// Axes of the numbers, in the order of their table.
  std::vector<std::size_t> numbers_;
};

}  // namespace pimsweep::systems
