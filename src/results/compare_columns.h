#pragma once

#include <cstddef>

#include "results/column_difference.h"
#include "results/column_reader.h"
#include "results/match_rows.h"

namespace pimsweep::results {

/// Compares columns of the same type. Numbers are equal if they differ by at most `tolerance` times the larger one's
/// absolute value, or are both missing. Keeps the `max_changes` largest changes. Holds 16 bytes for each row.
ColumnDifference compare_columns(ColumnReader& a, ColumnReader& b, const RowMatch& match, double tolerance,
                                 std::size_t max_changes);

}  // namespace pimsweep::results
