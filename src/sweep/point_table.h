#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sweep/study_blocks.h"
#include "sweep/study_data.h"

namespace pimsweep::sweep {

/// A parsed point table, which is one factor of the study's product.
struct PointTable {
  /// An empty cell, which takes the value that its axis has outside the table.
  struct EmptyCell {
    /// Index into the factor's columns.
    std::size_t column;
    std::size_t row;
    SourcePosition where;
  };
  Factor factor;
  /// Position of the header cell of each of the factor's columns.
  std::vector<SourcePosition> where;
  std::vector<EmptyCell> empty;
  std::vector<CarriedColumn> carried;
  std::vector<std::vector<Value>> carried_values;
};

/// Converts a cell's text to a value of an axis, with the unit given in the header. Throws InputError.
using ReadCell =
    std::function<Value(std::size_t axis, const std::string& text, const std::string& unit, const SourcePosition&)>;

/// Reads `path` (RFC 4180, header = axis names, `name [unit]` where plain numbers stand for quantities). References may
/// have a unit like axes, but plain numbers are SI. Adds every problem to `problems` with line and column in the CSV
/// file.
PointTable read_point_table(const TableBlock& block, const std::string& path, const systems::Schema& schema,
                            const ReadCell& read_cell, ProblemList& problems);

}  // namespace pimsweep::sweep
