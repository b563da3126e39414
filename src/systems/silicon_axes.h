#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "hardware/silicon/silicon.h"
#include "systems/system.h"

namespace pimsweep::systems {

/// The densities and prices of silicon as axes "hardware.PREFIXkey" (docs/explore.md): 0 where a hardware file
/// gives none.
void append_silicon_axes(std::vector<Axis>& axes, std::string_view prefix = "silicon.");

/// The metrics "area" and "cost"; `what` says what a machine counts. Missing where the hardware file has no silicon.
void append_silicon_metrics(std::vector<Metric>& metrics, std::string_view what);

/// Writes area and cost of a point whose system has these axes and metrics.
class SiliconWriter {
 public:
  explicit SiliconWriter(const Schema& schema, std::string_view prefix = "silicon.");
  void operator()(const Point& point, const hardware::silicon::Parts& parts, Record& record) const;

 private:
  std::vector<std::size_t> constants_;
  std::size_t area_;
  std::size_t cost_;
};

}  // namespace pimsweep::systems
