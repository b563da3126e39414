#pragma once

namespace pimsweep::hardware::silicon {

/// Silicon area and manufacturing cost per component. SI units, US dollars; 0 for components that a machine does not
/// have.
struct Densities {
  /// Dollars per square meter of a processed logic wafer; 0 if unknown, and then there is no estimate.
  double wafer_cost = 0;
  /// Defects per square meter of a critical layer, and number of critical layers (Bose-Einstein yield).
  double defects = 0;
  double complexity = 0;
  /// Die area of the host processor or GPU.
  double processor_area = 0;
  /// Area of a processing element, or of another compute unit.
  double unit_area = 0;
  /// Area of a lane of a nonlinear unit.
  double lane_area = 0;
  /// Square meters per byte.
  double sram_area = 0;
  /// Area of a router with its link, per byte of link width (bytes per cycle).
  double link_area = 0;
  double dram_area = 0;
  /// Dollars per byte.
  double dram_cost = 0;

  bool known() const { return wafer_cost > 0; }
};

/// Number of components of a machine.
struct Parts {
  double processors = 0;
  double units = 0;
  double lanes = 0;
  double sram_bytes = 0;
  double link_bytes = 0;
  /// Logic whose area is given directly.
  double logic_area = 0;
  /// Number of dies among which the logic is divided equally.
  double logic_dies = 1;
  double dram_bytes = 0;
};

struct Estimate {
  /// Area of all dies, including DRAM.
  double area = 0;
  /// Cost of tested dies and DRAM, without package and margin.
  double cost = 0;
};

/// Yield: 1 / (1 + defects x area)^complexity (Hennessy and Patterson, Computer Architecture, 6th edition 2019, Sec.
/// 1.6, with a wafer yield of 1).
double die_yield(double area, const Densities& densities);

/// Area and cost, both of which increase with every component.
Estimate estimate(const Parts& parts, const Densities& densities);

}  // namespace pimsweep::hardware::silicon
