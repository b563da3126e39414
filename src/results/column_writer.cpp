#include "results/column_writer.h"

#include <hdf5_hl.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "results/hdf5_write.h"
#include "results/long_texts.h"

namespace pimsweep::results {

namespace {

/// One cell for each row: the digest of a column that does not vary is that of all its cells.
void add_repeated(DataDigest& digest, std::string_view cell, std::uint64_t rows) {
  std::array<char, 4096> cells;
  const std::size_t whole = cells.size() / cell.size();
  for (std::size_t i = 0; i < whole; ++i) std::memcpy(cells.data() + i * cell.size(), cell.data(), cell.size());
  for (; rows > whole; rows -= whole) digest.add(cells.data(), whole * cell.size());
  digest.add(cells.data(), rows * cell.size());
}

/// The numbers from `first` on.
void add_counted(DataDigest& digest, std::uint64_t first, std::uint64_t rows) {
  std::array<std::uint64_t, 512> cells;
  for (std::uint64_t end = first + rows; first < end;) {
    const std::size_t count = std::min<std::uint64_t>(cells.size(), end - first);
    for (std::size_t i = 0; i < count; ++i) cells[i] = first++;
    digest.add(cells.data(), count * sizeof cells[0]);
  }
}

}  // namespace

ColumnWriter::ColumnWriter(hid_t group, ColumnInfo info, const ColumnWriter* scale, const ColumnTarget& target)
    : group_(group), info_(std::move(info)), scale_(scale), target_(target) {
  if (!info_.constant) return;
  constant_.emplace(info_.type);
  constant_->push(*info_.constant);
}

ColumnWriter::~ColumnWriter() = default;

void ColumnWriter::create(const ColumnLayout& layout, std::uint64_t chunk_rows) {
  ChunkShape shape{info_.type, layout.is_compressed, chunk_rows, layout.chunk_width};
  std::vector<hsize_t> max_extent{H5S_UNLIMITED};
  extent_ = {0};
  if (is_text()) {
    const std::size_t limit = text_limit(chunk_rows);
    if (constant_) shape.width = decide_layout(info_, *constant_, chunk_rows, target_.encoder).chunk_width;
    max_extent.push_back(limit);
    extent_.push_back(stored_width(0, limit));
  }
  const int rank = static_cast<int>(extent_.size());
  const Hdf5Handle properties = hdf5::dataset_properties();
  const Hdf5Handle type = hdf5::element_type(info_.type);
  if (constant_ && !is_text()) {
    const hsize_t rows = chunk_rows;
    hdf5::check(H5Pset_chunk(properties.get(), 1, &rows), "set the chunk size");
    hdf5::check(H5Pset_fill_value(properties.get(), type.get(), constant_->bytes().data()), "set the fill value");
  } else {
    hdf5::set_chunks(properties.get(), shape);
  }
  const Hdf5Handle space(hdf5::checked(H5Screate_simple(rank, extent_.data(), max_extent.data()), "make a dataspace"),
                         H5Sclose);
  dataset_ = Hdf5Handle(hdf5::checked(H5Dcreate2(group_, info_.name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                                 properties.get(), H5P_DEFAULT),
                                      "create a dataset"),
                        H5Dclose);
  if (scale_ == nullptr) hdf5::check(H5DSset_scale(dataset_.get(), info_.name.c_str()), "make a dimension scale");
  write_column_attributes();
}

void ColumnWriter::write_column_attributes() const {
  const std::pair<const char*, const std::string&> attributes[] = {
      {"units", info_.unit}, {"long_name", info_.long_name}, {"source", info_.source},
      {"role", info_.role},  {"absent", info_.absent},       {"timeline", info_.timeline}};
  for (const auto& [name, content] : attributes) {
    if (!content.empty()) hdf5::write_attribute(dataset_.get(), name, content);
  }
  // By the CF conventions it has the type of the data.
  if (info_.non_negative && info_.type == ValueType::integer) {
    hdf5::write_attribute(dataset_.get(), "valid_min", std::int64_t{0});
  } else if (info_.non_negative) {
    hdf5::write_real_attribute(dataset_.get(), "valid_min", 0.0);
  }
  if (info_.type == ValueType::boolean) hdf5::write_flags(dataset_.get(), info_.flags);
  // With it, xarray joins the characters to str.
  if (is_text()) hdf5::write_attribute(dataset_.get(), "_Encoding", "utf-8");
}

void ColumnWriter::place(const EncodedColumn& column, const ColumnLayout& layout, std::uint64_t chunk_rows,
                         std::uint64_t rows) {
  if (!dataset_.valid()) create(layout, chunk_rows);
  if (rows == 0) return;
  if (constant_) {
    place_constant(chunk_rows, rows);
  } else {
    add_cells(column, rows);
    place_chunks(column, chunk_rows, rows);
  }
}

void ColumnWriter::place_constant(std::uint64_t chunk_rows, std::uint64_t rows) {
  add_repeated(digest_, constant_->bytes(), rows);
  const ColumnLayout layout =
      is_text() ? decide_layout(info_, *constant_, chunk_rows, target_.encoder) : ColumnLayout{};
  if (!is_text()) return place_chunks({}, chunk_rows, rows);
  if (constant_rows_ != rows) {
    ColumnCells cells(info_.type);
    for (std::uint64_t row = 0; row < rows; ++row) cells.push(*info_.constant);
    constant_block_.clear();
    encode_column(cells, layout, chunk_rows, false, target_.encoder, constant_block_);
    constant_rows_ = rows;
  }
  ByteReader reader(constant_block_);
  place_chunks(read_encoded_column(reader, info_.type, layout, rows), chunk_rows, rows);
}

void ColumnWriter::place_chunks(const EncodedColumn& column, std::uint64_t chunk_rows, std::uint64_t rows) {
  const hsize_t first = extent_.front();
  extent_.front() += rows;
  if (is_text())
    extent_.back() = std::max<hsize_t>(extent_.back(), stored_width(column.longest, text_limit(chunk_rows)));
  hdf5::check(H5Dset_extent(dataset_.get(), extent_.data()), "extend a dataset");
  constexpr std::uint32_t all_filters = 0;
  for (const EncodedColumn::Chunk& chunk : column.chunks) {
    const std::array<hsize_t, 2> offset{first, chunk.column};
    hdf5::check(
        H5Dwrite_chunk(dataset_.get(), H5P_DEFAULT, all_filters, offset.data(), chunk.bytes.size(), chunk.bytes.data()),
        "write a dataset (is the disk full?)");
  }
  for (const auto& [row, text] : column.long_texts) {
    if (!long_texts_) long_texts_ = std::make_unique<LongTexts>(group_, info_.name, target_);
    long_texts_->push(first + row, text);
  }
}

void ColumnWriter::add_cells(const EncodedColumn& column, std::uint64_t rows) {
  switch (column.kind) {
    case EncodedColumn::Cells::all:
      return digest_.add(column.cells.data(), column.cells.size());
    case EncodedColumn::Cells::uniform:
      return add_repeated(digest_, column.cells, rows);
    case EncodedColumn::Cells::counted:
      return add_counted(digest_, extent_.front(), rows);
  }
}

void ColumnWriter::close() {
  if (scale_ != nullptr)
    hdf5::check(H5DSattach_scale(dataset_.get(), scale_->dataset_.get(), 0), "attach a dimension scale");
  if (is_text())
    hdf5::check(H5DSattach_scale(dataset_.get(), target_.text_dimensions.of(extent_.back()), 1),
                "attach a dimension scale");
  if (long_texts_) long_texts_->close();
}

void ColumnWriter::add_to(DataDigest& digest) const {
  for (const std::string& text : {info_.name, info_.unit, info_.long_name, info_.source}) digest.add_text(text);
  digest.add_text(digest_.value().text());
}

}  // namespace pimsweep::results
