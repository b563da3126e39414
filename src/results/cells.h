#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "results/columns.h"

namespace pimsweep::results {

/// The longest front part of a UTF-8 text that has at most `max_bytes` bytes and ends between two characters.
std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);

/// The cells of a column in one block of rows.
class ColumnCells {
 public:
  explicit ColumnCells(Element element) : element_(element) {}

  Element element() const { return element_; }
  bool is_text() const { return element_ == Element::text; }
  /// Bytes of a cell in bytes().
  std::size_t cell_bytes() const;

  /// The value is of the column's type; an integer may go to a column of reals.
  void push(const Value& value);
  void push(double number) { put(number); }
  void push(std::int64_t number) { put(number); }
  void push(std::int8_t number) { put(number); }
  /// A text ends at its first NUL, for NUL pads it in the file.
  void push(std::string_view text);

  /// The numbers as they are stored; of texts, the 128-bit hash of each, which is 0 for the empty text: the bytes that
  /// go into the digest of a file.
  std::string_view bytes() const { return {bytes_.get(), size_}; }
  std::size_t rows() const { return size_ / cell_bytes(); }
  /// True if all cells are equal.
  bool is_uniform() const;

  std::string_view text(std::size_t row) const;
  /// Bytes of the longest text.
  std::size_t longest() const { return longest_; }
  /// Concatenated texts, each padded with NUL to `width` bytes. Longer texts are cut and end in an ellipsis.
  std::string characters(std::size_t width) const;

 private:
  template <typename Number>
  void put(Number number) {
    if (room_ - size_ < sizeof number) grow();
    std::memcpy(bytes_.get() + size_, &number, sizeof number);
    size_ += sizeof number;
  }
  void grow();

  Element element_;
  /// A string would ask for room and end itself at each cell.
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0;
  std::size_t room_ = 0;
  std::string characters_;
  /// Where each text ends in `characters_`.
  std::vector<std::size_t> ends_;
  std::size_t longest_ = 0;
};

/// The cells of a block of rows of a group; constant columns have none.
struct Block {
  explicit Block(const GroupInfo& group);

  /// By the number of the column in its group.
  std::vector<ColumnCells> columns;
  std::uint64_t rows = 0;
  /// True if no further rows follow.
  bool is_last = false;

  /// Ends a row: every column that is not constant has been pushed to, but for the first, which gets this number.
  void end_row(std::uint64_t number) {
    columns.front().push(static_cast<std::int64_t>(number));
    ++rows;
  }
};

}  // namespace pimsweep::results
