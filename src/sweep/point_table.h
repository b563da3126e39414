#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sweep/experiment_file.h"
#include "sweep/study_data.h"

namespace pimsweep::sweep {

/// A point table, read: one factor of the study's product.
struct PointTable {
  Factor factor;
  /// Header cell of each of the factor's columns.
  std::vector<SourcePosition> where;
  std::vector<CarriedColumn> carried;
  std::vector<std::vector<Value>> carried_values;
};

/// Reads `path` (RFC 4180, header = axis names, `name [unit]` where plain numbers stand for quantities). An empty cell
/// takes fallback(axis), the value that the axis has without the table; null means that it has none. References may
/// have a unit like axes, but plain numbers are SI. All problems go to `problems`, with the CSV's line and column.
PointTable read_point_table(const TableBlock& block, const std::string& path, const systems::Schema& schema,
                            const std::function<const Value*(std::size_t axis)>& fallback, ProblemList& problems);

}  // namespace pimsweep::sweep
