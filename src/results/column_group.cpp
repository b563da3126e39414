#include "results/column_group.h"

#include "results/hdf5_write.h"

namespace pimsweep::results {

ColumnGroup::ColumnGroup(Hdf5Handle handle, const GroupInfo& group, const ColumnTarget& target)
    : handle_(std::move(handle)), info_(group), target_(target) {
  if (!info_.long_name.empty()) hdf5::write_attribute(handle_.get(), "long_name", info_.long_name);
  for (const ColumnInfo& column : info_.columns)
    columns_.emplace_back(handle_.get(), column, columns_.empty() ? nullptr : &columns_.front(), target_);
}

void ColumnGroup::place(const EncodedBlock& block) {
  has_rows_ = has_rows_ || block.rows > 0;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    columns_[i].place(block.columns[i], block.layout.columns[i], block.layout.chunk_rows, block.rows);
}

void ColumnGroup::close() {
  for (ColumnWriter& column : columns_) column.close();
}

void ColumnGroup::add_to(DataDigest& digest) const {
  for (const ColumnWriter& column : columns_) column.add_to(digest);
}

FilledGroup::FilledGroup(Hdf5Handle handle, const GroupInfo& group, const ColumnTarget& target)
    : group_(std::move(handle), group, target), encoder_(target.encoder), cells_(group_.info()) {}

void FilledGroup::write_block() {
  bytes_.clear();
  cells_.encode(layout_, encoder_, bytes_);
  ByteReader reader(bytes_);
  group_.place(read_encoded_block(reader, group_.info()));
}

void FilledGroup::close() {
  if (cells_.rows() > 0 || !layout_.is_decided()) write_block();
  group_.close();
}

}  // namespace pimsweep::results
