#include "results/block_layout.h"

namespace pimsweep::results {

void append_layout(const GroupLayout& layout, std::string& bytes) {
  append_number(bytes, layout.chunk_rows);
  append_number(bytes, static_cast<std::uint32_t>(layout.columns.size()));
  for (const ColumnLayout& column : layout.columns) {
    append_number(bytes, static_cast<std::uint8_t>(column.is_compressed));
    append_number(bytes, column.chunk_width);
  }
}

GroupLayout read_layout(ByteReader& reader) {
  GroupLayout layout;
  layout.chunk_rows = reader.number<std::uint64_t>();
  const auto columns = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < columns && !reader.failed(); ++i) {
    ColumnLayout& column = layout.columns.emplace_back();
    column.is_compressed = reader.number<std::uint8_t>() != 0;
    column.chunk_width = reader.number<std::uint32_t>();
  }
  return layout;
}

}  // namespace pimsweep::results
