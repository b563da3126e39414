#include "results/pareto.h"

#include <algorithm>
#include <numeric>

namespace pimsweep {

std::vector<std::size_t> pareto_front(std::span<const std::span<const double>> columns) {
  std::vector<std::size_t> front;
  if (columns.empty()) return front;
  std::vector<std::size_t> order(columns.front().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto compare = [&](std::size_t a, std::size_t b) {
    for (const std::span<const double> column : columns) {
      if (column[a] != column[b]) return column[a] < column[b] ? -1 : 1;
    }
    return 0;
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return compare(a, b) < 0; });
  // In this order a row can be dominated only by those before it, and if at all by one of the front. With two columns
  // that is the last one, which has the smallest second number so far.
  const auto dominates = [&](std::size_t a, std::size_t b) {
    return compare(a, b) != 0 && std::all_of(columns.begin(), columns.end(),
                                             [&](std::span<const double> column) { return column[a] <= column[b]; });
  };
  for (const std::size_t row : order) {
    const bool dominated =
        columns.size() <= 2 ? !front.empty() && dominates(front.back(), row)
                            : std::any_of(front.begin(), front.end(), [&](std::size_t f) { return dominates(f, row); });
    if (!dominated) front.push_back(row);
  }
  std::sort(front.begin(), front.end());
  return front;
}

}  // namespace pimsweep
