#pragma once

#include <cstdint>
#include <deque>
#include <string>

#include "results/column_writer.h"
#include "results/encoded_block.h"

namespace pimsweep::results {

/// Columns of equal length over one dimension: the points of a study, or the rows of a table. Takes encoded blocks in
/// the order of their rows.
class ColumnGroup {
 public:
  ColumnGroup(Hdf5Handle handle, const GroupInfo& group, const ColumnTarget& target);
  ColumnGroup(const ColumnGroup&) = delete;
  ColumnGroup& operator=(const ColumnGroup&) = delete;

  hid_t id() const { return handle_.get(); }
  const GroupInfo& info() const { return info_; }
  /// Throws std::runtime_error if HDF5 refuses.
  void place(const EncodedBlock& block);
  bool has_rows() const { return has_rows_; }
  /// Writes what is known only at the end.
  void close();
  void add_to(DataDigest& digest) const;

 private:
  Hdf5Handle handle_;
  GroupInfo info_;
  ColumnTarget target_;
  std::deque<ColumnWriter> columns_;
  bool has_rows_ = false;
};

/// A group whose rows this process has: fills, encodes and places it.
class FilledGroup {
 public:
  FilledGroup(Hdf5Handle handle, const GroupInfo& group, const ColumnTarget& target);

  /// By the number of the column in its group; the first numbers the rows by itself.
  ColumnCells& operator[](std::size_t column) { return cells_[column]; }
  void end_row() {
    cells_.end_row(rows_++);
    if (cells_.rows() == block_rows) write_block();
  }
  void close();
  void add_to(DataDigest& digest) const { group_.add_to(digest); }

 private:
  void write_block();

  ColumnGroup group_;
  ChunkEncoder& encoder_;
  GroupCells cells_;
  GroupLayout layout_;
  std::string bytes_;
  std::uint64_t rows_ = 0;
};

}  // namespace pimsweep::results
