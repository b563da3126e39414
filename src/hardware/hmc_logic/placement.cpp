#include "hardware/hmc_logic/placement.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/checked.h"

namespace pimsweep::hardware::hmc_logic {

bool BankGrid::at_edge(std::int64_t bank) const {
  const std::int64_t column = bank % columns;
  const std::int64_t row = bank / columns;
  return column == 0 || column == columns - 1 || row == 0 || row == rows - 1;
}

std::int64_t units_that_fit(double area, double processor_area, std::int64_t processors, double unit_area) {
  // The quotient of areas that were derived from a whole number may be slightly less than that number due to rounding.
  constexpr double tolerance = 1e-9;
  const double units = (area - static_cast<double>(processors) * processor_area) / unit_area;
  return std::max<std::int64_t>(0, Count::of(std::floor(units * (1 + tolerance))));
}

std::vector<std::int64_t> place_units(const BankGrid& grid, std::int64_t units, double edge_bonus) {
  const auto banks = static_cast<std::size_t>(grid.banks());
  std::vector<double> share(banks);
  for (std::size_t bank = 0; bank < banks; ++bank) {
    share[bank] = grid.at_edge(static_cast<std::int64_t>(bank)) ? 1 + edge_bonus : 1;
  }
  const double scale = static_cast<double>(units) / std::accumulate(share.begin(), share.end(), 0.0);
  std::vector<std::int64_t> placed(banks);
  std::int64_t left = units;
  for (std::size_t bank = 0; bank < banks; ++bank) {
    share[bank] *= scale;
    placed[bank] = static_cast<std::int64_t>(share[bank]);
    left -= placed[bank];
  }
  std::vector<std::size_t> by_remainder(banks);
  std::iota(by_remainder.begin(), by_remainder.end(), 0U);
  std::ranges::stable_sort(by_remainder, std::greater{},
                           [&](std::size_t bank) { return share[bank] - static_cast<double>(placed[bank]); });
  for (std::size_t i = 0; left > 0; i = (i + 1) % banks, --left) ++placed[by_remainder[i]];
  return placed;
}

}  // namespace pimsweep::hardware::hmc_logic
