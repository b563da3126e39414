#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pimsweep::commands {

/// Rows of text under headings, printed in aligned columns or as CSV.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headings) : headings_(std::move(headings)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::size_t size() const { return rows_.size(); }
  /// Aligned columns, two blanks between them.
  std::string aligned() const;
  /// RFC 4180.
  std::string csv() const;

 private:
  std::vector<std::string> headings_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace pimsweep::commands
