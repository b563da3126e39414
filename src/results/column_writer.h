#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "results/data_digest.h"
#include "results/hdf5_handle.h"
#include "results/text_heap.h"

namespace pimsweep::results {

/// What a column says about itself.
struct ColumnInfo {
  std::string name;
  std::string unit;
  std::string long_name;
  std::string source;
  std::string role;
  /// Booleans are stored as integers of 8 bits whose values `flags` names.
  ValueType type = ValueType::real;
  /// Names of the values 0, 1, ... of a boolean column, with blanks between them.
  std::string flags = "false true";
  /// The value of every row: then no row is stored.
  std::optional<Value> constant = {};
  /// Random bits, which compression would only slow down.
  bool random = false;
};

/// A one-dimensional dataset that is filled row by row and written chunk by chunk.
class ColumnWriter {
 public:
  /// Rows of a chunk. Smaller chunks compress worse, larger ones cost memory in every reader.
  static constexpr std::size_t chunk_rows = 16384;

  /// `scale` is the column of the dimension, or null for that column itself; it is written first.
  ColumnWriter(hid_t group, ColumnInfo info, const ColumnWriter* scale, TextHeap& heap);

  bool constant() const { return info_.constant.has_value(); }
  void push(const Value& value);
  void push(double number) { put(number); }
  void push(std::int64_t number) { put(number); }
  void push(std::int8_t number) { put(number); }
  void push(std::string_view text);

  /// Writes the rows pushed since the last call, `rows` of them (at most chunk_rows, less only the last time).
  void write_block(std::size_t rows);
  /// Adds what the column says about itself and its values to the digest of the file.
  void add_to(DataDigest& digest) const;

 private:
  template <typename Number>
  void put(Number number) {
    cells_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void create(std::size_t first_rows);
  void set_fill_value(hid_t properties, hid_t type) const;
  void add_constant_to_digest(std::size_t rows);
  void write_numbers(std::size_t rows);
  void write_texts();

  hid_t group_;
  ColumnInfo info_;
  const ColumnWriter* scale_;
  Hdf5Handle dataset_;
  hsize_t rows_ = 0;
  std::size_t chunk_rows_ = 0;
  /// What the digest takes in: numbers as stored, of a text its hash. The cells of the block, or the
  /// one cell of a constant column.
  std::string cells_;
  TextBlock texts_;
  DataDigest digest_;
};

/// Columns of equal length over one dimension: the points of a study, or the rows of a table.
class ColumnGroup {
 public:
  /// `dimension` describes the column that numbers the rows.
  ColumnGroup(Hdf5Handle group, ColumnInfo dimension, TextHeap& heap);
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
  /// Writes what is left.
  void close();
  void add_to(DataDigest& digest) const;

 private:
  void write_block(std::size_t rows);
  Hdf5Handle group_;
  TextHeap& heap_;
  std::deque<ColumnWriter> columns_;
  std::uint64_t rows_ = 0;
};

}  // namespace pimsweep::results
