#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pimsweep::commands {

/// Rows of text under headings, printed in aligned columns, as CSV or as JSON.
class TextTable {
 public:
  explicit TextTable(std::vector<std::string> headings) : headings_(std::move(headings)) {}
  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  std::size_t size() const { return rows_.size(); }
  /// Aligned columns, two blanks between them. Cells of the widest columns lose their middle where a line would be
  /// longer than `width`; 0 means unlimited.
  std::string aligned(std::size_t width = 0) const;
  /// Aligned columns, of which the last one is wrapped at its blanks where a line would be longer than `width`; where
  /// that is not enough, other cells lose their middle. 0 means unlimited.
  std::string wrapped(std::size_t width) const;
  /// Removes columns, in this order as far as the table has them, until lines of `width` can be had without cutting
  /// short cells; returns the headings that are gone. 0 means unlimited.
  std::vector<std::string> drop_to_fit(std::size_t width, std::span<const std::string_view> order);
  /// RFC 4180.
  std::string csv() const;
  /// A JSON object for each row, whose keys are the headings. Cells of the columns `numbers` are numbers with all their
  /// digits, or null where they are empty or no finite number; all others are texts.
  std::vector<std::string> json(const std::vector<std::string>& numbers) const;

 private:
  /// Width of the longest cell of each column.
  std::vector<std::size_t> full_widths() const;
  /// Width of each column if lines have at most `limit` characters.
  std::vector<std::size_t> widths(std::size_t limit) const;

  std::vector<std::string> headings_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace pimsweep::commands
