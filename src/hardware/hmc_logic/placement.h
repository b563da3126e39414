#pragma once

#include <cstdint>
#include <vector>

namespace pimsweep::hardware::hmc_logic {

/// Grid of banks (vertical slices of a memory stack, each over its patch of the logic die).
struct BankGrid {
  std::int64_t columns = 1;
  std::int64_t rows = 1;

  std::int64_t banks() const { return columns * rows; }
  /// True if a bank, numbered row by row, is at an edge or a corner of the die.
  bool at_edge(std::int64_t bank) const;
};

/// Number of units that fit on the die in addition to the processors: floor((area - processors x processor) / unit), at
/// least 0. All areas in the same unit.
std::int64_t units_that_fit(double area, double processor_area, std::int64_t processors, double unit_area);

/// Units per bank, row by row. The share of a bank is proportional to the heat that it can dissipate: 1 in the middle
/// and 1 + edge_bonus at edges and corners; fractions go to the banks with the largest remainders, so the sum is exact.
/// Hetero-PIM (MICRO 2018), Sec. IV-D: more units at edge and corner banks than at central ones.
std::vector<std::int64_t> place_units(const BankGrid& grid, std::int64_t units, double edge_bonus);

}  // namespace pimsweep::hardware::hmc_logic
