#include "hardware/silicon/silicon.h"

#include <cmath>

namespace pimsweep::hardware::silicon {

double die_yield(double area, const Densities& densities) {
  return std::pow(1 + densities.defects * area, -densities.complexity);
}

Estimate estimate(const Parts& parts, const Densities& densities) {
  const auto cost_of_dies = [&](double dies, double area) {
    const double silicon = dies * area;
    return silicon > 0 ? silicon * densities.wafer_cost / die_yield(area, densities) : 0;
  };
  const double logic = parts.units * densities.unit_area + parts.lanes * densities.lane_area +
                       parts.sram_bytes * densities.sram_area + parts.link_bytes * densities.link_area +
                       parts.logic_area;
  Estimate result;
  result.area = parts.processors * densities.processor_area + logic + parts.dram_bytes * densities.dram_area;
  result.cost = cost_of_dies(parts.processors, densities.processor_area) +
                cost_of_dies(parts.logic_dies, logic / parts.logic_dies) + parts.dram_bytes * densities.dram_cost;
  return result;
}

}  // namespace pimsweep::hardware::silicon
