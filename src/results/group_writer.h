#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>

#include "results/cells.h"
#include "results/column_writer.h"
#include "results/data_digest.h"
#include "results/dimensions.h"
#include "results/hdf5_handle.h"

namespace pimsweep::results {

/// Columns of equal length over one dimension in a results file: the points of a study, or the rows of a table. Takes
/// the blocks of its rows in order:
///
///     GroupWriter group(file, info, text_dimensions);
///     group.place(block);  // the last one has is_last
///     group.close();
///
/// All blocks but the last one have block_rows rows. Texts that are too long for their columns go to groups of their
/// own.
class GroupWriter {
 public:
  /// Creates the group. The references must outlive the writer.
  GroupWriter(hid_t file, const GroupInfo& info, TextDimensions& text_dimensions);
  ~GroupWriter();
  GroupWriter(const GroupWriter&) = delete;
  GroupWriter& operator=(const GroupWriter&) = delete;

  hid_t id() const { return handle_.get(); }
  /// Throws std::runtime_error if HDF5 refuses.
  void place(const Block& block);
  /// After the last block: attaches the dimensions.
  void close();
  void add_to(DataDigest& digest) const;

 private:
  struct LongTexts;
  void keep_long_texts(std::size_t column, const ColumnCells& cells, std::size_t limit);

  hid_t file_;
  const GroupInfo& info_;
  TextDimensions& text_dimensions_;
  Hdf5Handle handle_;
  std::deque<ColumnWriter> columns_;
  std::uint64_t rows_ = 0;
  /// By column.
  std::map<std::size_t, std::unique_ptr<LongTexts>> long_texts_;
};

}  // namespace pimsweep::results
