#pragma once

#include <cstdint>
#include <deque>

#include "results/column_writer.h"

namespace pimsweep::results {

/// Columns of equal length over one dimension: the points of a study, or the rows of a table.
class ColumnGroup {
 public:
  /// `dimension` describes the column that numbers the rows.
  ColumnGroup(Hdf5Handle group, ColumnInfo dimension, TextDimensions& text_dimensions);
  ColumnGroup(const ColumnGroup&) = delete;
  ColumnGroup& operator=(const ColumnGroup&) = delete;

  hid_t id() const { return group_.get(); }
  /// The reference stays valid as long as the group.
  ColumnWriter& add(ColumnInfo info);
  /// Ends a row: every column that is not constant has been pushed to.
  void end_row() {
    columns_.front().push(static_cast<std::int64_t>(rows_++));
    if (rows_ % ColumnWriter::chunk_rows == 0) write_block(ColumnWriter::chunk_rows);
  }
  /// Writes what is left, and what is known only at the end.
  void close();
  void add_to(DataDigest& digest) const;

 private:
  void write_block(std::size_t rows);
  Hdf5Handle group_;
  TextDimensions& text_dimensions_;
  std::deque<ColumnWriter> columns_;
  std::uint64_t rows_ = 0;
};

}  // namespace pimsweep::results
