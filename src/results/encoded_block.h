#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "results/block_layout.h"
#include "results/chunk_encoder.h"
#include "results/column_cells.h"
#include "results/column_info.h"

namespace pimsweep::results {

/// Longest text, in bytes, that a column of less than block_rows rows holds, and one of more. Readers pad every text
/// to the longest: one of 4 KiB in a million rows would cost them 4 GiB. Longer ones go to LongTexts.
inline constexpr std::size_t max_text_bytes_of_short_column = 4096;
inline constexpr std::size_t max_text_bytes_of_long_column = 256;
std::size_t text_limit(std::uint64_t chunk_rows);

/// The room for texts of up to `longest` bytes, in steps that keep the number of different dimensions small.
std::size_t stored_width(std::size_t longest, std::size_t limit);

/// A column's part of an encoded block: views of its bytes.
struct EncodedColumn {
  /// The cells that the digest is made of: all, one that all rows have, or none because the column numbers its rows.
  enum class Cells : std::uint8_t { all, uniform, counted };
  Cells kind = Cells::all;
  std::string_view cells;
  /// Bytes of the longest text.
  std::uint64_t longest = 0;
  struct Chunk {
    /// First byte of each text that the chunk holds.
    std::uint64_t column = 0;
    std::string_view bytes;
  };
  std::vector<Chunk> chunks = {};
  /// Texts that are too long for the column, each with its row in the block.
  std::vector<std::pair<std::uint32_t, std::string_view>> long_texts = {};
};

/// A block of rows of all columns of a group that are not constant.
struct EncodedBlock {
  std::uint64_t rows = 0;
  GroupLayout layout;
  std::vector<EncodedColumn> columns;
};

/// Decides how a column is stored, by its first block.
ColumnLayout decide_layout(const ColumnInfo& info, const ColumnCells& cells, std::uint64_t chunk_rows,
                           ChunkEncoder& encoder);

/// Appends an encoded column. `counts`: whether it numbers the rows of its group.
void encode_column(const ColumnCells& cells, const ColumnLayout& layout, std::uint64_t chunk_rows, bool counts,
                   ChunkEncoder& encoder, std::string& bytes);
/// Throws std::runtime_error if the bytes are damaged. The column points into them.
EncodedColumn read_encoded_column(ByteReader& reader, ValueType type, const ColumnLayout& layout, std::uint64_t rows);

/// The cells of one block of rows of a group; constant columns have none.
class GroupCells {
 public:
  explicit GroupCells(const GroupInfo& group);

  /// By the number of the column in its group.
  ColumnCells& operator[](std::size_t column) { return cells_[column]; }
  std::uint64_t rows() const { return rows_; }
  /// Ends a row: every column that is not constant has been pushed to, but for the first, which gets this number.
  void end_row(std::uint64_t number) {
    cells_.front().push(static_cast<std::int64_t>(number));
    ++rows_;
  }
  /// Appends the encoded block and begins the next one. Decides the layout if that has not been done.
  void encode(GroupLayout& layout, ChunkEncoder& encoder, std::string& bytes);

 private:
  const GroupInfo& group_;
  std::vector<ColumnCells> cells_;
  std::uint64_t rows_ = 0;
};

/// Throws std::runtime_error if the bytes are damaged. The block points into them.
EncodedBlock read_encoded_block(ByteReader& reader, const GroupInfo& group);

}  // namespace pimsweep::results
