#include "results/column_group.h"

namespace pimsweep::results {

ColumnGroup::ColumnGroup(Hdf5Handle group, ColumnInfo dimension, TextDimensions& text_dimensions)
    : group_(std::move(group)), text_dimensions_(text_dimensions) {
  dimension.type = ValueType::integer;
  columns_.emplace_back(group_.get(), std::move(dimension), nullptr, text_dimensions_);
}

ColumnWriter& ColumnGroup::add(ColumnInfo info) {
  return columns_.emplace_back(group_.get(), std::move(info), &columns_.front(), text_dimensions_);
}

void ColumnGroup::write_block(std::size_t rows) {
  for (ColumnWriter& column : columns_) column.write_block(rows);
}

void ColumnGroup::close() {
  write_block(rows_ % ColumnWriter::chunk_rows);
  for (ColumnWriter& column : columns_) column.close();
}

void ColumnGroup::add_to(DataDigest& digest) const {
  for (const ColumnWriter& column : columns_) column.add_to(digest);
}

}  // namespace pimsweep::results
