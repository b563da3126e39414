#include "results/column_writer.h"

#include <hdf5_hl.h>

#include <algorithm>
#include <limits>

#include "results/compression.h"
#include "results/hdf5_write.h"

namespace pimsweep::results {

namespace {

Hdf5Handle file_type(ValueType type) {
  switch (type) {
    case ValueType::integer:
      return {H5Tcopy(H5T_STD_I64LE), H5Tclose};
    case ValueType::real:
      return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
    case ValueType::boolean:
      return {H5Tcopy(H5T_STD_I8LE), H5Tclose};
    case ValueType::text:
      break;
  }
  return hdf5::text_type();
}

/// Zero for the empty text, which most are.
Hash128 text_hash(std::string_view text) { return text.empty() ? Hash128{} : hash128(text); }

/// Deflate takes ten times as long as writing: it must save a quarter of the first chunk to be worth it.
bool worth_compressing(std::string_view numbers, std::size_t width) {
  return 4 * deflate(shuffle(numbers, width)).size() <= 3 * numbers.size();
}

}  // namespace

ColumnWriter::ColumnWriter(hid_t group, ColumnInfo info, const ColumnWriter* scale, TextHeap& heap)
    : group_(group), info_(std::move(info)), scale_(scale), texts_(heap) {
  if (!constant()) return;
  if (info_.type == ValueType::text)
    put(text_hash(std::get<std::string>(*info_.constant)));
  else
    push(*info_.constant);
}

void ColumnWriter::push(const Value& value) {
  switch (info_.type) {
    case ValueType::integer:
      return put(std::get<std::int64_t>(value));
    case ValueType::real:
      return put(to_real(value));
    case ValueType::boolean:
      return put(static_cast<std::int8_t>(std::get<bool>(value) ? 1 : 0));
    case ValueType::text:
      return push(std::string_view(std::get<std::string>(value)));
  }
}

void ColumnWriter::push(std::string_view text) {
  // The stored text ends at its first NUL, as any C string.
  text = text.substr(0, text.find('\0'));
  const Hash128 hash = text_hash(text);
  put(hash);
  texts_.push(text, hash);
}

void ColumnWriter::set_fill_value(hid_t properties, hid_t type) const {
  if (info_.type == ValueType::text) {
    const char* text = std::get<std::string>(*info_.constant).c_str();
    hdf5::check(H5Pset_fill_value(properties, type, &text), "set the fill value");
  } else {
    hdf5::check(H5Pset_fill_value(properties, type, cells_.data()), "set the fill value");
  }
}

void ColumnWriter::create(std::size_t first_rows) {
  const bool text = info_.type == ValueType::text;
  const Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const hsize_t chunk = chunk_rows_ = std::clamp<std::size_t>(first_rows, 1, chunk_rows);
  hdf5::check(H5Pset_chunk(properties.get(), 1, &chunk), "set the chunk size");
  hdf5::check(H5Pset_obj_track_times(properties.get(), false), "leave out object times");
  hdf5::check(H5Pset_attr_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED),
              "track attributes");
  const Hdf5Handle type = file_type(info_.type);
  if (constant()) {
    set_fill_value(properties.get(), type.get());
  } else {
    const bool compressed = text || (!info_.random && worth_compressing(cells_, H5Tget_size(type.get())));
    // HDF5 cannot shuffle elements of variable length.
    if (compressed && !text) hdf5::check(H5Pset_shuffle(properties.get()), "set the shuffle filter");
    if (compressed) hdf5::check(H5Pset_deflate(properties.get(), deflate_level), "set compression");
    // Deflate has a checksum of its own, and chunks of texts go past HDF5's filters.
    if (!text) hdf5::check(H5Pset_fletcher32(properties.get()), "set checksums");
  }
  // Whole chunks are written once: more than one in the cache is never used.
  const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  hdf5::check(H5Pset_chunk_cache(access.get(), 1, chunk_rows * TextReference::stored_bytes, 1.0), "set the cache");
  const hsize_t none = 0;
  const hsize_t unlimited = H5S_UNLIMITED;
  const Hdf5Handle space(hdf5::checked(H5Screate_simple(1, &none, &unlimited), "make a dataspace"), H5Sclose);
  dataset_ = Hdf5Handle(hdf5::checked(H5Dcreate2(group_, info_.name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                                 properties.get(), access.get()),
                                      "create a dataset"),
                        H5Dclose);
  if (scale_ != nullptr)
    hdf5::check(H5DSattach_scale(dataset_.get(), scale_->dataset_.get(), 0), "attach a dimension scale");
  else
    hdf5::check(H5DSset_scale(dataset_.get(), info_.name.c_str()), "make a dimension scale");
  const std::pair<const char*, const std::string&> attributes[] = {
      {"units", info_.unit}, {"long_name", info_.long_name}, {"source", info_.source}, {"role", info_.role}};
  for (const auto& [name, content] : attributes) {
    if (!content.empty()) hdf5::write_attribute(dataset_.get(), name, content);
  }
  if (info_.type == ValueType::boolean) hdf5::write_flags(dataset_.get(), info_.flags);
}

void ColumnWriter::write_block(std::size_t rows) {
  if (!dataset_.valid()) create(rows);
  if (rows == 0) return;
  rows_ += rows;
  hdf5::check(H5Dset_extent(dataset_.get(), &rows_), "extend a dataset");
  if (constant())
    add_constant_to_digest(rows);
  else if (info_.type == ValueType::text)
    write_texts();
  else
    write_numbers(rows);
}

void ColumnWriter::add_constant_to_digest(std::size_t rows) {
  std::string block;
  for (std::size_t row = 0; row < rows; ++row) block += cells_;
  digest_.add(block.data(), block.size());
}

void ColumnWriter::write_numbers(std::size_t rows) {
  const hsize_t count = rows;
  const hsize_t start = rows_ - rows;
  const Hdf5Handle type = file_type(info_.type);
  const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hdf5Handle file(H5Dget_space(dataset_.get()), H5Sclose);
  hdf5::check(H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr), "select rows");
  hdf5::check(H5Dwrite(dataset_.get(), type.get(), memory.get(), file.get(), H5P_DEFAULT, cells_.data()),
              "write a dataset (is the disk full?)");
  digest_.add(cells_.data(), cells_.size());
  cells_.clear();
}

void ColumnWriter::write_texts() {
  const hsize_t start = rows_ - texts_.rows();
  const bool all_empty = texts_.all_empty();
  digest_.add(cells_.data(), cells_.size());
  cells_.clear();
  const std::string references = texts_.take(chunk_rows_);
  // A chunk that is not there reads as empty texts.
  if (all_empty) return;
  const std::string chunk = deflate(references);
  hdf5::check(H5Dwrite_chunk(dataset_.get(), H5P_DEFAULT, 0, &start, chunk.size(), chunk.data()),
              "write a dataset (is the disk full?)");
}

void ColumnWriter::add_to(DataDigest& digest) const {
  for (const std::string& text : {info_.name, info_.unit, info_.long_name, info_.source}) digest.add_text(text);
  digest.add_text(digest_.value().text());
}

ColumnGroup::ColumnGroup(Hdf5Handle group, ColumnInfo dimension, TextHeap& heap)
    : group_(std::move(group)), heap_(heap) {
  dimension.type = ValueType::integer;
  columns_.emplace_back(group_.get(), std::move(dimension), nullptr, heap_);
}

ColumnWriter& ColumnGroup::add(ColumnInfo info) {
  return columns_.emplace_back(group_.get(), std::move(info), &columns_.front(), heap_);
}

void ColumnGroup::write_block(std::size_t rows) {
  for (ColumnWriter& column : columns_) column.write_block(rows);
}

void ColumnGroup::close() { write_block(rows_ % ColumnWriter::chunk_rows); }

void ColumnGroup::add_to(DataDigest& digest) const {
  for (const ColumnWriter& column : columns_) column.add_to(digest);
}

}  // namespace pimsweep::results
