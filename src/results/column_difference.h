#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"

namespace pimsweep::results {

/// A cell that differs between two files.
struct CellChange {
  /// Rows of the table, and the points that they belong to.
  std::uint64_t row_a = 0;
  std::uint64_t row_b = 0;
  std::uint64_t point_a = 0;
  std::uint64_t point_b = 0;
  Value a;
  Value b;
  /// (b - a) / |a|, infinite where only a is 0; nothing for texts and where either number is missing.
  std::optional<double> change;
};

/// Difference of a column between two files, over matching rows.
struct ColumnDifference {
  /// The detail table; empty for the columns of the points.
  std::string table;
  std::string column;
  std::string unit;
  std::uint64_t compared = 0;
  std::uint64_t differing = 0;
  /// Summary of the absolute relative changes; empty if there is none.
  std::optional<double> median;
  /// The largest changes first; those without a relative change come last, in the order of the rows.
  std::vector<CellChange> largest;
};

}  // namespace pimsweep::results
