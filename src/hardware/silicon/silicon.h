#pragma once

namespace pimsweep::hardware::silicon {

/// What a machine's parts take of silicon, and what that costs to make. SI units, US dollars; 0 is a part that a
/// machine lacks.
struct Densities {
  /// Of a processed wafer of logic, for each square meter. 0: nothing is known, so there is no estimate.
  double wafer_cost = 0;
  /// For each square meter of a critical layer, and the layers' number (Bose-Einstein yield).
  double defects = 0;
  double complexity = 0;
  /// Die of the host processor or card.
  double processor_area = 0;
  /// A processing element, or what else a machine's computing units are.
  double unit_area = 0;
  /// A lane of a nonlinear unit.
  double lane_area = 0;
  /// Square meters for a byte.
  double sram_area = 0;
  /// A router with its link, for each byte that the link carries in a cycle.
  double link_area = 0;
  double dram_area = 0;
  /// Dollars for a byte.
  double dram_cost = 0;

  bool known() const { return wafer_cost > 0; }
};

/// How many parts a machine has.
struct Parts {
  double processors = 0;
  double units = 0;
  double lanes = 0;
  double sram_bytes = 0;
  double link_bytes = 0;
  /// Logic whose area is known as such.
  double logic_area = 0;
  /// Dies that share the logic equally.
  double logic_dies = 1;
  double dram_bytes = 0;
};

struct Estimate {
  /// Of all dies, those of DRAM included.
  double area = 0;
  /// Of tested dies and DRAM, without package and margin.
  double cost = 0;
};

/// Share of good dies: 1 / (1 + defects x area)^complexity (Hennessy and Patterson, Computer Architecture, 6th edition
/// 2019, Sec. 1.6, with a wafer yield of 1).
double die_yield(double area, const Densities& densities);

/// Grows with every part.
Estimate estimate(const Parts& parts, const Densities& densities);

}  // namespace pimsweep::hardware::silicon
