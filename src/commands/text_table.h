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
  /// As `wrapped`, for rows with a description as the last cell. No other cell is cut as long as possible: first the
  /// columns of `order` are left out, in this order, until the description has room; then it goes below its row, with
  /// the cells of columns of `movable` behind it. Adds the headings that are gone to `dropped`.
  std::string described(std::size_t width, std::span<const std::string_view> order,
                        std::span<const std::string_view> movable, std::vector<std::string>& dropped) const;
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
  /// Removes a column and adds its heading to `dropped`; nothing if the table does not have it.
  void drop(std::string_view heading, std::vector<std::string>& dropped);
  /// Removes a column whose cells go behind the last one, after the heading.
  void move_behind(std::string_view heading);

  std::vector<std::string> headings_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace pimsweep::commands
