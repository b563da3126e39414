#include "results/group_writer.h"

#include <utility>

#include "results/hdf5_write.h"

namespace pimsweep::results {

/// The pieces of the long texts of a column, as rows of a group.
struct GroupWriter::LongTexts {
  LongTexts(hid_t file, GroupInfo of_pieces, TextDimensions& text_dimensions)
      : info(std::move(of_pieces)), writer(file, info, text_dimensions), block(info) {}

  void push(std::uint64_t row, std::string_view text) {
    while (!text.empty()) {
      const std::string_view piece = utf8_prefix(text, max_piece_bytes);
      block.columns[1].push(static_cast<std::int64_t>(row));
      block.columns[2].push(piece);
      block.end_row(pieces++);
      text.remove_prefix(piece.size());
      if (block.rows < block_rows) continue;
      writer.place(block);
      block = Block(info);
    }
  }

  void close() {
    block.is_last = true;
    writer.place(block);
    writer.close();
  }

  GroupInfo info;
  GroupWriter writer;
  Block block;
  std::uint64_t pieces = 0;
};

GroupWriter::GroupWriter(hid_t file, const GroupInfo& info, TextDimensions& text_dimensions)
    : file_(file), info_(info), text_dimensions_(text_dimensions), handle_(hdf5::create_group(file, info.path)) {
  if (!info_.long_name.empty()) hdf5::write_attribute(handle_.get(), "long_name", info_.long_name);
  for (const ColumnInfo& column : info_.columns) columns_.emplace_back(handle_.get(), column);
}

GroupWriter::~GroupWriter() = default;

void GroupWriter::place(const Block& block) {
  const bool is_whole = rows_ == 0 && block.is_last;
  const std::size_t limit = text_limit(rows_ == 0 ? block.rows : block_rows, is_whole);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    keep_long_texts(i, columns_[i].place(block.columns[i], block.rows, is_whole), limit);
  }
  rows_ += block.rows;
}

void GroupWriter::keep_long_texts(std::size_t column, const ColumnCells& cells, std::size_t limit) {
  if (!cells.is_text() || cells.longest() <= limit) return;
  std::unique_ptr<LongTexts>& kept = long_texts_[column];
  if (!kept) kept = std::make_unique<LongTexts>(file_, long_texts_of(info_, info_.columns[column]), text_dimensions_);
  for (std::size_t row = 0; row < cells.rows(); ++row) {
    if (cells.text(row).size() > limit) kept->push(rows_ + row, cells.text(row));
  }
}

void GroupWriter::close() {
  const std::string& dimension = info_.columns.front().name;
  DimensionScale rows(columns_.front().close(), dimension.c_str());
  for (std::size_t i = 1; i < columns_.size(); ++i) {
    ColumnWriter& column = columns_[i];
    const Hdf5Handle dataset = column.close();
    std::vector<DimensionScale*> scales{&rows};
    if (column.is_text()) scales.push_back(&text_dimensions_.of(column.width()));
    attach_dimensions(dataset.get(), scales);
  }
  rows.close();
  for (auto& [column, texts] : long_texts_) texts->close();
}

void GroupWriter::add_to(DataDigest& digest) const {
  for (const ColumnWriter& column : columns_) column.add_to(digest);
}

}  // namespace pimsweep::results
