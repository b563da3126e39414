#include "systems/devices/silicon_axes.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"

namespace pimsweep::systems::devices {

void add_silicon_axes(AxisList& axes, hardware::silicon::Densities& densities, std::string_view prefix) {
  constexpr double max = 1e15;
  const auto add = [&](double& place, std::string_view name, const char* unit, const char* doc) {
    axes.quantity(place, fmt::format("hardware.{}{}", prefix, name), unit, 0, max, doc, 0.0);
  };
  hardware::silicon::Densities& d = densities;
  add(d.wafer_cost, "wafer_cost", "USD/m^2", "price of a processed wafer of logic");
  add(d.defects, "defects", "1/m^2", "defect density of a critical layer");
  add(d.complexity, "complexity", "1", "exponent of the yield: critical layers of the process");
  add(d.processor_area, "processor_area", "m^2", "die area of the host processor or GPU");
  add(d.unit_area, "unit_area", "m^2", "area of a processing element or other computing unit");
  add(d.lane_area, "lane_area", "m^2", "area of a lane of a nonlinear unit");
  add(d.sram_area, "sram_area", "m^2/B", "area of a byte of SRAM buffer");
  add(d.link_area, "link_area", "m^2/B", "area of a router and its link by bytes carried in a cycle");
  add(d.dram_area, "dram_area", "m^2/B", "area of a byte of DRAM");
  add(d.dram_cost, "dram_cost", "USD/B", "price of a byte of DRAM");
}

void add_silicon_metrics(ColumnList& metrics, const SiliconEstimate& estimate, std::string_view parts,
                         const std::string& absent) {
  metrics.quantity(estimate.area, "area", "m^2", fmt::format("silicon area of all dies: {}", parts), absent)
      .quantity(estimate.cost, "cost", "USD",
                "manufacturing cost of all dies, by wafer prices, yield and price of DRAM", absent);
}

SiliconEstimate estimate_silicon(const hardware::silicon::Parts& parts, const hardware::silicon::Densities& densities) {
  if (!densities.known()) return {};
  const hardware::silicon::Estimate estimate = hardware::silicon::estimate(parts, densities);
  if (!std::isfinite(estimate.cost)) {
    throw PointError(
        fmt::format("the cost of the dies is infinite: with {:g} defects/m^2 and a complexity of {:g} a die "
                    "of the machine's size has no yield, or prices and parts are too large",
                    densities.defects, densities.complexity));
  }
  return {estimate.area, estimate.cost};
}

}  // namespace pimsweep::systems::devices
