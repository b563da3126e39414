#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace pimsweep {

/// A column of a results file in memory: numbers (NaN where missing) or texts. Integers that no double holds are texts
/// of all their digits.
struct DataColumn {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  std::string unit;
  /// axis, label, reference, metric or detail.
  std::string role;
  bool is_text() const { return !texts.empty(); }
};

/// A study of a results file, or one of its detail tables, as named columns of equal length.
struct DataFrame {
  std::size_t rows = 0;
  std::map<std::string, DataColumn> columns;
};

/// All columns over `point`: axes, labels, references, metrics, status; not the identities.
DataFrame read_study(const std::string& results_file, const std::string& study);

/// A detail table, each row joined with the axes, metrics and status of its point (the table's own columns win).
DataFrame read_detail(const std::string& results_file, const std::string& study, const std::string& table);

}  // namespace pimsweep
