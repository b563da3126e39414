#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "results/chunk_encoder.h"
#include "results/column_info.h"
#include "results/data_digest.h"
#include "results/encoded_block.h"
#include "results/hdf5_handle.h"
#include "results/text_dimensions.h"

namespace pimsweep::results {

class LongTexts;

/// Where the columns of a file are written: what they share.
struct ColumnTarget {
  TextDimensions& text_dimensions;
  ChunkEncoder& encoder;
};

/// A column of a results file, into which encoded blocks are placed in the order of their rows. Numbers are a
/// one-dimensional dataset, texts a two-dimensional one of characters, which grows with the longest text.
class ColumnWriter {
 public:
  /// `scale` is the column of the dimension, or null for that column itself; it is written first.
  ColumnWriter(hid_t group, ColumnInfo info, const ColumnWriter* scale, const ColumnTarget& target);
  ~ColumnWriter();
  ColumnWriter(const ColumnWriter&) = delete;
  ColumnWriter& operator=(const ColumnWriter&) = delete;

  const ColumnInfo& info() const { return info_; }
  /// Places the next block of `rows` rows, of which `column` is this column's part unless it is constant.
  void place(const EncodedColumn& column, const ColumnLayout& layout, std::uint64_t chunk_rows, std::uint64_t rows);
  /// After the last block: attaches the dimensions.
  void close();
  /// Adds the column's name, unit, description, source and values to the digest of the file.
  void add_to(DataDigest& digest) const;

 private:
  bool is_text() const { return info_.type == ValueType::text; }
  void create(const ColumnLayout& layout, std::uint64_t chunk_rows);
  void write_column_attributes() const;
  void place_constant(std::uint64_t chunk_rows, std::uint64_t rows);
  void place_chunks(const EncodedColumn& column, std::uint64_t chunk_rows, std::uint64_t rows);
  void add_cells(const EncodedColumn& column, std::uint64_t rows);

  hid_t group_;
  ColumnInfo info_;
  const ColumnWriter* scale_;
  ColumnTarget target_;
  Hdf5Handle dataset_;
  /// Rows, and of a text column the bytes of each text.
  std::vector<hsize_t> extent_;
  /// Of a constant column, its one cell.
  std::optional<ColumnCells> constant_;
  /// Of a constant column of texts, the block encoded last and its rows.
  std::string constant_block_;
  std::uint64_t constant_rows_ = 0;
  std::unique_ptr<LongTexts> long_texts_;
  DataDigest digest_;
};

}  // namespace pimsweep::results
