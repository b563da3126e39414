#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/value.h"
#include "results/data_digest.h"
#include "results/hdf5_handle.h"
#include "results/text_block.h"
#include "results/text_dimensions.h"

namespace pimsweep::results {

class LongTexts;

/// Name, type and attributes of a column.
struct ColumnInfo {
  std::string name;
  std::string unit;
  std::string long_name;
  std::string source;
  std::string role;
  /// Booleans are stored as integers of 8 bits whose values `flags` names.
  ValueType type = ValueType::real;
  /// Names of the values 0, 1, ... of a boolean column, separated by blanks.
  std::string flags = "false true";
  /// The value of every row, if the column does not vary.
  std::optional<Value> constant = {};
  /// Whether the column holds random bits, which do not compress.
  bool random = false;
  /// Whether no number of the column is negative.
  bool non_negative = false;
  /// When or why a point with status ok has no value.
  std::string absent = {};
  /// What the column of a detail table means on a timeline: a word of timeline_role_words.
  std::string timeline = {};
};

/// A column of a results file, filled row by row and written block by block. Numbers are a one-dimensional dataset,
/// texts a two-dimensional one of characters, which grows with the longest text.
class ColumnWriter {
 public:
  /// Rows per chunk. Smaller chunks compress worse, larger ones cost memory in every reader.
  static constexpr std::size_t chunk_rows = 16384;
  /// Longest text, in bytes, that a column of less than chunk_rows rows holds, and one of more. Readers pad every text
  /// to the longest: one of 4 KiB in a million rows would cost them 4 GiB. Longer ones go to LongTexts.
  static constexpr std::size_t max_text_bytes_of_short_column = 4096;
  static constexpr std::size_t max_text_bytes_of_long_column = 256;

  /// `scale` is the column of the dimension, or null for that column itself; it is written first.
  ColumnWriter(hid_t group, ColumnInfo info, const ColumnWriter* scale, TextDimensions& text_dimensions);
  ~ColumnWriter();
  ColumnWriter(const ColumnWriter&) = delete;
  ColumnWriter& operator=(const ColumnWriter&) = delete;

  bool constant() const { return info_.constant.has_value(); }
  void push(const Value& value);
  void push(double number) { put(number); }
  void push(std::int64_t number) { put(number); }
  void push(std::int8_t number) { put(number); }
  void push(std::string_view text);

  /// Writes the rows pushed since the last call, `rows` of them (at most chunk_rows, less only the last time).
  void write_block(std::size_t rows);
  /// After the last block: attaches the dimensions.
  void close();
  /// Adds the column's name, unit, description, source and values to the digest of the file.
  void add_to(DataDigest& digest) const;

 private:
  template <typename Number>
  void put(Number number) {
    cells_.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  bool is_text() const { return info_.type == ValueType::text; }
  void create(std::size_t first_rows);
  void set_filters(hid_t properties) const;
  void write_column_attributes() const;
  void add_constant_block(std::size_t rows);
  void write_numbers(std::size_t rows);
  void write_texts();
  void write_cells(hid_t type, const std::vector<hsize_t>& count, const char* cells);

  hid_t group_;
  ColumnInfo info_;
  const ColumnWriter* scale_;
  TextDimensions& text_dimensions_;
  Hdf5Handle dataset_;
  /// Rows, and of a text column the bytes of each text.
  std::vector<hsize_t> extent_;
  /// Input of the digest: the numbers of the block as stored, or the hashes of its texts; of a constant column, one
  /// cell.
  std::string cells_;
  TextBlock texts_;
  std::size_t chunk_width_ = 0;
  std::size_t max_text_bytes_ = 0;
  std::unique_ptr<LongTexts> long_texts_;
  DataDigest digest_;
};

}  // namespace pimsweep::results
