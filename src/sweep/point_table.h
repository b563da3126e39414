#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sweep/experiment_file.h"
#include "sweep/study_data.h"

namespace pimsweep::sweep {

/// A point table, read: one factor of the study's product.
struct PointTable {
  /// An empty cell of an axis, whose value is still to be found.
  struct EmptyCell {
    /// Among the factor's columns.
    std::size_t column;
    std::size_t row;
    SourcePosition where;
  };
  Factor factor;
  /// Header cell of each of the factor's columns.
  std::vector<SourcePosition> where;
  std::vector<EmptyCell> empty;
  std::vector<CarriedColumn> carried;
  std::vector<std::vector<Value>> carried_values;
};

/// Makes the value of an axis from a cell's text, with the unit that the header gives. Throws InputError.
using ReadCell =
    std::function<Value(std::size_t axis, const std::string& text, const std::string& unit, const SourcePosition&)>;

/// Reads `path` (RFC 4180, header = axis names, `name [unit]` where plain numbers stand for quantities). References may
/// have a unit like axes, but plain numbers are SI. All problems go to `problems`, with the CSV's line and column.
PointTable read_point_table(const TableBlock& block, const std::string& path, const systems::Schema& schema,
                            const ReadCell& read_cell, ProblemList& problems);

}  // namespace pimsweep::sweep
