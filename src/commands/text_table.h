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
  /// The same in lines of at most so many characters, if possible: long cells are cut, and columns that do not fit are
  /// left out and named below the table.
  std::string fitted(std::size_t characters) const;
  /// RFC 4180.
  std::string csv() const;

 private:
  /// Widths of the columns in characters, at most `max_width` each.
  std::vector<std::size_t> widths(std::size_t max_width) const;
  /// The first columns, in these widths.
  std::string text(const std::vector<std::size_t>& widths) const;

  std::vector<std::string> headings_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace pimsweep::commands
