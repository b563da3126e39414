#pragma once

#include <cstdint>
#include <vector>

namespace pimsweep::hardware::hmc_logic {

/// Banks (vertical slices of a memory stack, each over its patch of the logic die) in a grid.
struct BankGrid {
  std::int64_t columns = 1;
  std::int64_t rows = 1;

  std::int64_t banks() const { return columns * rows; }
  /// Whether a bank, numbered row by row, lies at an edge or a corner of the die.
  bool at_edge(std::int64_t bank) const;
};

/// Units that fit on the die beside the processors: floor((area - processors x processor) / unit), at least 0. All
/// areas in the same unit.
std::int64_t units_that_fit(double area, double processor_area, std::int64_t processors, double unit_area);

/// Units of each bank, row by row. A bank's share is proportional to the heat that it can dissipate, 1 in the middle
/// and 1 + edge_bonus at edges and corners; fractions go to the banks with the largest remainders, so that the sum is
/// exact. Hetero-PIM (MICRO 2018), Sec. IV-D: more units on edge and corner banks than on central ones.
std::vector<std::int64_t> place_units(const BankGrid& grid, std::int64_t units, double edge_bonus);

}  // namespace pimsweep::hardware::hmc_logic
