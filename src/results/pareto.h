#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace pimsweep {

/// The rows that no other row dominates: none is at most as large in every column and smaller in one. Columns have
/// equal length and no NaN; equal rows are all in the front or none of them is. Sorted. Takes n log n for two columns,
/// and n times the size of the front for more.
std::vector<std::size_t> pareto_front(std::span<const std::span<const double>> columns);

}  // namespace pimsweep
