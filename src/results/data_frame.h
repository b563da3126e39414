#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "results/columns.h"

namespace pimsweep::results {

/// A column of a results file in memory: numbers (NaN where missing) or texts. A column with an integer that no double
/// represents exactly becomes texts, with all digits.
struct DataColumn {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  std::string unit;
  /// axis, label, reference, metric or detail.
  ColumnRole role = ColumnRole::none;
  /// A hardware constant that varies with the axis `hardware` alone.
  bool follows_hardware = false;
  /// Drawn among some values.
  bool is_choice = false;
  bool is_text() const { return !texts.empty(); }
};

/// A study of a results file, or one of its detail tables, as named columns of equal length.
struct DataFrame {
  std::size_t rows = 0;
  std::map<std::string, DataColumn> columns;
};

/// All columns over `point` but the identities.
DataFrame read_study(const std::string& results_file, const std::string& study);

/// Appends what tells a cell from others of its column, for keys of several cells.
void append_cell(const DataColumn& column, std::size_t row, std::string& key);

}  // namespace pimsweep::results
