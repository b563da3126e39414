#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace pimsweep::results {

/// A column of a results file in memory: numbers (NaN where missing) or texts. Integers that no double holds are texts
/// of all their digits.
struct FrameColumn {
  std::vector<double> numbers;
  std::vector<std::string> texts;
  std::string unit;
  /// axis, label, reference, metric or detail.
  std::string role;
  /// A hardware constant that varies with the axis `hardware` alone.
  bool follows_hardware = false;
  bool is_text() const { return !texts.empty(); }
};

/// A study of a results file, or one of its detail tables, as named columns of equal length.
struct Frame {
  std::size_t rows = 0;
  std::map<std::string, FrameColumn> columns;
};

/// All columns over `point`: axes, labels, references, metrics, status; not the identities.
Frame read_study(const std::string& results_file, const std::string& study);

/// A detail table, each row joined with the axes, metrics and status of its point (the table's own columns win).
Frame read_detail(const std::string& results_file, const std::string& study, const std::string& table);

}  // namespace pimsweep::results
