#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "results/column_group.h"

namespace pimsweep::results {

/// The texts of one column that are too long for its array of characters: a small table "long_texts/<column>" beside
/// the column, which holds each of them whole, in pieces, with the number of the row that it belongs to.
class LongTexts {
 public:
  static constexpr const char* group_name = "long_texts";
  static constexpr std::size_t max_piece_bytes = 256;

  /// `group` is that of the column.
  LongTexts(hid_t group, const std::string& column, const ColumnTarget& target);
  /// Rows come in rising order.
  void push(std::uint64_t row, std::string_view text);
  void close() { pieces_.close(); }

 private:
  FilledGroup pieces_;
};

}  // namespace pimsweep::results
