#include "results/encoded_block.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace pimsweep::results {

namespace {

/// For a column whose first texts are all empty.
constexpr std::uint32_t default_chunk_width = 64;
constexpr std::size_t fletcher32_bytes = 4;

[[noreturn]] void refuse_block() { throw std::runtime_error("an encoded block of the results is damaged"); }

bool is_uniform(std::string_view cells, std::size_t cell_bytes) {
  return cells.size() > cell_bytes &&
         std::memcmp(cells.data(), cells.data() + cell_bytes, cells.size() - cell_bytes) == 0;
}

/// `key`: empty, or that of cells which come again.
void append_chunk(const ChunkShape& shape, std::uint64_t column, std::string_view cells, const std::string& key,
                  ChunkEncoder& encoder, std::string& bytes) {
  append_number(bytes, column);
  const std::size_t head = bytes.size();
  append_number(bytes, std::uint32_t{0});
  const std::size_t begin = bytes.size();
  if (key.empty())
    encoder.encode(shape, cells, bytes);
  else
    encoder.encode_known(shape, key, cells, bytes);
  const auto size = static_cast<std::uint32_t>(bytes.size() - begin);
  std::memcpy(bytes.data() + head, &size, sizeof size);
}

/// Of cells that are given by their first one: how they follow from it, how many they are, and that one.
std::string key_of(EncodedColumn::Cells kind, std::string_view cells, std::size_t cell_bytes) {
  std::string key;
  if (kind == EncodedColumn::Cells::all) return key;
  key.push_back(static_cast<char>(kind));
  append_number(key, std::uint64_t{cells.size()});
  key += cells.substr(0, cell_bytes);
  return key;
}

/// The chunks of a block of texts, from left to right.
void append_text_chunks(const TextBlock& texts, std::uint32_t chunk_width, std::uint64_t chunk_rows,
                        const std::string& key, ChunkEncoder& encoder, std::string& bytes) {
  const ChunkShape shape{ValueType::text, true, chunk_rows, chunk_width};
  const std::size_t limit = text_limit(chunk_rows);
  const std::size_t width = std::min(texts.longest(), limit);
  // A chunk that is not there reads as empty texts.
  const std::size_t chunks = (width + chunk_width - 1) / chunk_width;
  append_number(bytes, static_cast<std::uint32_t>(chunks));
  if (chunks == 0) return;
  const std::size_t whole = std::min(chunks * chunk_width, limit);
  const std::string characters = texts.characters(whole);
  if (chunks == 1 && whole == chunk_width) return append_chunk(shape, 0, characters, key, encoder, bytes);
  std::string part;
  for (std::size_t column = 0; column < whole; column += chunk_width) {
    part.assign(texts.rows() * chunk_width, '\0');
    const std::size_t size = std::min<std::size_t>(chunk_width, whole - column);
    for (std::size_t row = 0; row < texts.rows(); ++row)
      std::copy_n(characters.data() + row * whole + column, size, part.data() + row * chunk_width);
    append_chunk(shape, column, part, {}, encoder, bytes);
  }
}

void append_long_texts(const TextBlock& texts, std::size_t limit, std::string& bytes) {
  std::uint32_t count = 0;
  const std::size_t at = bytes.size();
  append_number(bytes, count);
  if (texts.longest() <= limit) return;
  for (std::size_t row = 0; row < texts.rows(); ++row) {
    if (texts.text(row).size() <= limit) continue;
    append_number(bytes, static_cast<std::uint32_t>(row));
    append_text(bytes, texts.text(row));
    ++count;
  }
  std::memcpy(bytes.data() + at, &count, sizeof count);
}

}  // namespace

std::size_t text_limit(std::uint64_t chunk_rows) {
  return chunk_rows < block_rows ? max_text_bytes_of_short_column : max_text_bytes_of_long_column;
}

std::size_t stored_width(std::size_t longest, std::size_t limit) {
  constexpr std::size_t step = 8;
  return std::clamp((longest + step - 1) / step * step, step, limit);
}

ColumnLayout decide_layout(const ColumnInfo& info, const ColumnCells& cells, std::uint64_t chunk_rows,
                           ChunkEncoder& encoder) {
  if (cells.is_text()) {
    const std::size_t longest = cells.texts().longest();
    const std::size_t width = stored_width(longest, text_limit(chunk_rows));
    return {true, longest == 0 ? default_chunk_width : static_cast<std::uint32_t>(width)};
  }
  if (info.random) return {false, 0};
  if (cells.bytes().empty()) return {true, 0};
  std::string compressed;
  encoder.encode({cells.type(), true, chunk_rows, 0}, cells.bytes(), compressed);
  // Deflate takes ten times as long as writing: to save less than a quarter is not worth it.
  return {4 * (compressed.size() - fletcher32_bytes) <= 3 * cells.bytes().size(), 0};
}

void encode_column(const ColumnCells& cells, const ColumnLayout& layout, std::uint64_t chunk_rows, bool counts,
                   ChunkEncoder& encoder, std::string& bytes) {
  using Cells = EncodedColumn::Cells;
  const std::string_view all = cells.bytes();
  const std::size_t cell = ColumnCells::cell_bytes(cells.type());
  const Cells kind = counts ? Cells::counted : is_uniform(all, cell) ? Cells::uniform : Cells::all;
  bytes.push_back(static_cast<char>(kind));
  // The chunk of a column that is not compressed begins with its cells.
  const bool is_stored = !cells.is_text() && !layout.is_compressed;
  append_text(bytes, kind == Cells::uniform             ? all.substr(0, cell)
                     : kind == Cells::all && !is_stored ? all
                                                        : std::string_view{});
  append_number(bytes, std::uint64_t{cells.texts().longest()});
  // What is not compressed is as quickly copied as found.
  const std::string key = is_stored ? std::string{} : key_of(kind, all, cell);
  if (cells.is_text()) {
    append_text_chunks(cells.texts(), layout.chunk_width, chunk_rows, key, encoder, bytes);
    append_long_texts(cells.texts(), text_limit(chunk_rows), bytes);
    return;
  }
  append_number(bytes, std::uint32_t{all.empty() ? 0U : 1U});
  if (!all.empty()) append_chunk({cells.type(), layout.is_compressed, chunk_rows, 0}, 0, all, key, encoder, bytes);
  append_number(bytes, std::uint32_t{0});
}

EncodedColumn read_encoded_column(ByteReader& reader, ValueType type, const ColumnLayout& layout, std::uint64_t rows) {
  EncodedColumn column;
  column.kind = static_cast<EncodedColumn::Cells>(reader.number<std::uint8_t>());
  column.cells = reader.text();
  column.longest = reader.number<std::uint64_t>();
  const auto chunks = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < chunks && !reader.failed(); ++i) {
    EncodedColumn::Chunk& chunk = column.chunks.emplace_back();
    chunk.column = reader.number<std::uint64_t>();
    chunk.bytes = reader.text();
  }
  const auto long_texts = reader.number<std::uint32_t>();
  for (std::uint32_t i = 0; i < long_texts && !reader.failed(); ++i) {
    const auto row = reader.number<std::uint32_t>();
    column.long_texts.emplace_back(row, reader.text());
  }
  if (reader.failed()) refuse_block();
  const std::size_t cell = ColumnCells::cell_bytes(type);
  const bool is_stored = column.kind == EncodedColumn::Cells::all && type != ValueType::text && !layout.is_compressed;
  if (is_stored && !column.chunks.empty()) column.cells = column.chunks.front().bytes.substr(0, rows * cell);
  const std::uint64_t expected = column.kind == EncodedColumn::Cells::all       ? rows
                                 : column.kind == EncodedColumn::Cells::uniform ? 1
                                                                                : 0;
  if (column.cells.size() != expected * cell) refuse_block();
  return column;
}

GroupCells::GroupCells(const GroupInfo& group) : group_(group) {
  for (const ColumnInfo& info : group.columns) cells_.emplace_back(info.type);
}

void GroupCells::encode(GroupLayout& layout, ChunkEncoder& encoder, std::string& bytes) {
  if (!layout.is_decided()) {
    layout.chunk_rows = std::max<std::uint64_t>(rows_, 1);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const ColumnInfo& info = group_.columns[i];
      layout.columns.push_back(info.constant ? ColumnLayout{}
                                             : decide_layout(info, cells_[i], layout.chunk_rows, encoder));
    }
  }
  append_number(bytes, rows_);
  append_layout(layout, bytes);
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (group_.columns[i].constant) continue;
    encode_column(cells_[i], layout.columns[i], layout.chunk_rows, i == 0, encoder, bytes);
    cells_[i].clear();
  }
  rows_ = 0;
}

EncodedBlock read_encoded_block(ByteReader& reader, const GroupInfo& group) {
  EncodedBlock block;
  block.rows = reader.number<std::uint64_t>();
  block.layout = read_layout(reader);
  if (reader.failed() || block.layout.columns.size() != group.columns.size()) refuse_block();
  for (std::size_t i = 0; i < group.columns.size(); ++i) {
    const ColumnInfo& info = group.columns[i];
    block.columns.push_back(
        info.constant ? EncodedColumn{} : read_encoded_column(reader, info.type, block.layout.columns[i], block.rows));
  }
  return block;
}

}  // namespace pimsweep::results
