#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "hardware/silicon/silicon.h"
#include "systems/axis_table.h"
#include "systems/column_table.h"

namespace pimsweep::systems::devices {

/// Area and cost of a machine; empty where the hardware file has no silicon.
struct SiliconEstimate {
  std::optional<double> area;
  std::optional<double> cost;
};

/// The densities and prices of silicon as axes "hardware.PREFIXkey" (docs/explore.md): 0 where a hardware file
/// gives none.
void add_silicon_axes(AxisList& axes, hardware::silicon::Densities& densities, std::string_view prefix = "silicon.");

/// The metrics "area" and "cost"; `parts` says which parts of a machine count, `absent` when there are none.
void add_silicon_metrics(ColumnList& metrics, const SiliconEstimate& estimate, std::string_view parts,
                         const std::string& absent = "no silicon in the hardware file");

SiliconEstimate estimate_silicon(const hardware::silicon::Parts& parts, const hardware::silicon::Densities& densities);

}  // namespace pimsweep::systems::devices
