#pragma once

#include <string>
#include <vector>

#include "base/value.h"

namespace pimsweep::commands {

/// A table for a paper: every column of numbers has one unit, which stands in its heading.
class PaperTable {
 public:
  /// Adds a column. Numbers in `unit` (SI) get the prefix that suits their median, and `digits` significant digits. A
  /// missing number is a dash.
  void add(const std::string& name, const std::string& unit, const std::vector<Value>& cells, int digits);
  /// LaTeX with the rules of the package booktabs.
  std::string latex() const;
  /// A table of GitHub's Markdown.
  std::string markdown() const;

 private:
  struct Column {
    std::string heading;
    bool is_number = false;
    std::vector<std::string> cells;
  };
  std::vector<Column> columns_;
};

}  // namespace pimsweep::commands
