#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/cells.h"
#include "results/columns.h"
#include "results/data_digest.h"
#include "results/dimensions.h"
#include "results/hdf5_handle.h"

namespace pimsweep::results {

/// Longest text that a column holds, by the rows of its first block and whether there are others.
std::size_t text_limit(std::uint64_t rows, bool is_whole);

/// A column of a results file, into which blocks of rows are placed in order. Numbers are a one-dimensional dataset,
/// texts a two-dimensional one of characters, which grows with the longest text.
///
/// The cost of a column depends on its data. In a group that ends with its first block, equal numbers and empty texts
/// are the fill value of a dataset without data, and columns of at most max_plain_bytes are stored as they are. All
/// others are stored in chunks, by HDF5's own filters: with shuffle and deflate where these save a quarter of the first
/// chunk, always with a checksum (docs/results-format.md).
class ColumnWriter {
 public:
  /// `info` must outlive the writer.
  ColumnWriter(hid_t group, const ColumnInfo& info);

  const ColumnInfo& info() const { return info_; }
  /// Places the next `rows` rows; `is_whole`: these are all rows. Returns the cells, which are made here for a constant
  /// column. Throws std::runtime_error if HDF5 refuses.
  const ColumnCells& place(const ColumnCells& cells, std::uint64_t rows, bool is_whole);
  /// Number of bytes of each text, which `text_dimension` is for.
  std::size_t width() const { return extent_.back(); }
  bool is_text() const { return element_ == Element::text; }
  /// Ends the column; the caller owns the dataset from then on.
  Hdf5Handle close();
  /// Adds the column's name, unit, description, source and values to the digest of the file.
  void add_to(DataDigest& digest) const;

 private:
  enum class Storage : std::uint8_t { fill_value, plain, compressed, chunked };

  Storage storage_of(const ColumnCells& cells, std::uint64_t rows, bool is_whole) const;
  void create(Storage storage, const ColumnCells& cells, std::uint64_t rows, bool is_whole);
  void create_and_write(const ColumnCells& cells, std::uint64_t rows, bool is_whole);
  void append(const ColumnCells& cells, std::uint64_t rows);
  void append_constant(const ColumnCells& cells, std::uint64_t rows);
  void write(const ColumnCells& cells, std::uint64_t first, std::uint64_t rows);
  const ColumnCells& constant_cells(std::uint64_t rows);
  void write_attributes() const;
  void write_origin() const;

  hid_t group_;
  const ColumnInfo& info_;
  Element element_;
  Hdf5Handle dataset_;
  Storage storage_ = Storage::plain;
  /// Rows, and of a text column the bytes of each text.
  std::vector<hsize_t> extent_;
  std::size_t text_limit_ = 0;
  /// The cell of a constant column of numbers; as many cells of one of texts as the last block had.
  std::optional<ColumnCells> constant_cells_;
  /// A full chunk of a constant column of texts, as it is stored.
  std::string constant_chunk_;
  DataDigest digest_;
};

}  // namespace pimsweep::results
