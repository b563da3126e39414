#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"

namespace pimsweep::results {

/// How a column is stored, which its first block of rows decides for all.
struct ColumnLayout {
  /// Of numbers: whether they are compressed.
  bool is_compressed = false;
  /// Of texts: bytes of each in a chunk. Longer texts begin further columns of chunks.
  std::uint32_t chunk_width = 0;
};

/// How the columns of a group are stored; before the first block, nothing is decided.
struct GroupLayout {
  /// Rows of a chunk: of a short group all its rows.
  std::uint64_t chunk_rows = 0;
  std::vector<ColumnLayout> columns = {};
  bool is_decided() const { return chunk_rows > 0; }
};

void append_layout(const GroupLayout& layout, std::string& bytes);
GroupLayout read_layout(ByteReader& reader);

}  // namespace pimsweep::results
