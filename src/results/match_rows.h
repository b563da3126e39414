#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "results/column_reader.h"

namespace pimsweep::results {

/// `count` rows of a table from `a` on, and the rows of another table that belong to them, from `b` on.
struct RowRun {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t count = 0;
};

/// Which rows of two tables belong together. Where both tables have the same order this takes no space.
struct RowMatch {
  /// In the order of the first table.
  std::vector<RowRun> both;
  /// Rows without a partner.
  std::vector<std::uint64_t> only_a;
  std::vector<std::uint64_t> only_b;

  /// Adds rows to the last run where they follow it.
  void add(std::uint64_t a, std::uint64_t b, std::uint64_t count);
  /// Number of pairs.
  std::uint64_t size() const;
};

/// Pairs points that are equal in all key columns, which stand in the same order on both sides; of several equal
/// points the first belongs to the first. Numbers of different types are equal if their values are.
RowMatch match_points(std::uint64_t rows_a, std::vector<ColumnReader>& keys_a, std::uint64_t rows_b,
                      std::vector<ColumnReader>& keys_b);

/// The detail rows of matched points: the columns tell the point of each row, in rising order. Points with another
/// number of rows have no pairs and are counted in `other_sizes`.
RowMatch match_details(const RowMatch& points, ColumnReader& owner_a, ColumnReader& owner_b,
                       std::uint64_t& other_sizes);

}  // namespace pimsweep::results
