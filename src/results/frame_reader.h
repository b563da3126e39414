#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "results/column_reader.h"
#include "results/data_frame.h"
#include "results/hdf5_handle.h"

namespace pimsweep::results {

/// Rows of a table from `first` to before `last`.
struct RowRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// Whether a column is wanted in a frame.
using Wanted = std::function<bool(const ColumnReader& column)>;

/// The points of a study, or one of its detail tables, of which frames of some rows and columns are read. Identities
/// are left out.
class FrameReader {
 public:
  /// `file` is open, `path` names it in messages; `group` is "study" or "study/table". Throws InputError if it is
  /// missing or damaged.
  FrameReader(hid_t file, const std::string& path, const std::string& group);

  std::uint64_t rows() const { return rows_; }
  bool has(const std::string& column) const;
  /// Throws InputError if there is none of that name.
  ColumnReader& column(const std::string& name);
  /// About the bytes that a row of the wanted columns takes in a frame.
  std::size_t row_bytes(const Wanted& wanted) const;
  /// The frame of some rows, in their order. Fastest where the ranges ascend.
  DataFrame read(const std::vector<RowRange>& rows, const Wanted& wanted);

 private:
  struct Column {
    ColumnReader reader;
    /// Whether a double represents each integer of the column exactly, once that is known.
    std::optional<bool> is_exact = std::nullopt;
  };
  static bool is_exact(Column& column);
  static DataColumn read(Column& column, const std::vector<RowRange>& rows);

  std::string path_;
  Hdf5Handle group_;
  std::uint64_t rows_ = 0;
  std::vector<Column> columns_;
};

}  // namespace pimsweep::results
