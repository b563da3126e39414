#include "results/column_writer.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "results/hdf5_write.h"

namespace pimsweep::results {

namespace {

/// Chunks and filters of a smaller column cost more than they save.
constexpr std::size_t max_plain_bytes = 16384;
/// Maximum size of data stored in the header of their dataset.
constexpr std::size_t max_compact_bytes = 1024;
/// For a column whose first texts are all empty.
constexpr std::size_t default_chunk_width = 64;

/// The room for texts of up to `longest` bytes, in steps that keep the number of different dimensions small.
std::size_t stored_width(std::size_t longest, std::size_t limit) {
  constexpr std::size_t step = 8;
  return std::clamp((longest + step - 1) / step * step, step, limit);
}

/// HDF5 type of a cell; for texts, of one character. The identifiers live as long as the library.
hid_t stored_type(Element element) {
  static const hid_t character = [] {
    const hid_t type = H5Tcopy(H5T_C_S1);
    hdf5::check(H5Tset_strpad(type, H5T_STR_NULLPAD), "make a character type");
    return type;
  }();
  switch (element) {
    case Element::integer:
      return H5T_STD_I64LE;
    case Element::real:
      return H5T_IEEE_F64LE;
    case Element::flag:
      return H5T_STD_I8LE;
    case Element::text:
      break;
  }
  return character;
}

/// One cell for each row: the digest of a constant column is that of all its cells.
void add_repeated(DataDigest& digest, std::string_view cell, std::uint64_t rows) {
  std::array<char, 4096> cells;
  const std::size_t whole = cells.size() / cell.size();
  for (std::size_t i = 0; i < whole; ++i) std::memcpy(cells.data() + i * cell.size(), cell.data(), cell.size());
  for (; rows > whole; rows -= whole) digest.add(cells.data(), whole * cell.size());
  digest.add(cells.data(), rows * cell.size());
}

void set_filters(hid_t properties, Element element, bool is_compressed) {
  constexpr unsigned deflate_level = 1;
  if (is_compressed) {
    if (element == Element::integer || element == Element::real)
      hdf5::check(H5Pset_shuffle(properties), "set the shuffle filter");
    hdf5::check(H5Pset_deflate(properties, deflate_level), "set compression");
  }
  // Deflate has a checksum of its own.
  if (element != Element::text) hdf5::check(H5Pset_fletcher32(properties), "set checksums");
}

}  // namespace

std::size_t text_limit(std::uint64_t rows, bool is_whole) {
  return is_whole && rows < block_rows ? max_text_bytes_of_short_column : max_text_bytes_of_long_column;
}

ColumnWriter::ColumnWriter(hid_t group, const ColumnInfo& info)
    : group_(group), info_(info), element_(element_of(info)) {}

const ColumnCells& ColumnWriter::place(const ColumnCells& cells, std::uint64_t rows, bool is_whole) {
  const bool is_fill_value = info_.constant && !is_text();
  const ColumnCells& placed = !info_.constant ? cells : constant_cells(is_fill_value ? 1 : rows);
  if (is_fill_value)
    add_repeated(digest_, placed.bytes(), rows);
  else
    digest_.add(placed.bytes().data(), placed.bytes().size());
  if (!dataset_.valid())
    create_and_write(placed, rows, is_whole);
  else
    append(placed, rows);
  return placed;
}

const ColumnCells& ColumnWriter::constant_cells(std::uint64_t rows) {
  if (!constant_cells_ || constant_cells_->rows() != rows) {
    constant_cells_.emplace(element_);
    for (std::uint64_t row = 0; row < rows; ++row) constant_cells_->push(*info_.constant);
  }
  return *constant_cells_;
}

ColumnWriter::Storage ColumnWriter::storage_of(const ColumnCells& cells, std::uint64_t rows, bool is_whole) const {
  if (!is_text() && info_.constant) return Storage::fill_value;
  if (!is_whole) return info_.random ? Storage::chunked : Storage::compressed;
  if (is_text() ? cells.longest() == 0 : cells.is_uniform()) return Storage::fill_value;
  const std::size_t bytes = is_text() ? rows * extent_.back() : cells.bytes().size();
  return info_.random || bytes <= max_plain_bytes ? Storage::plain : Storage::compressed;
}

void ColumnWriter::create_and_write(const ColumnCells& cells, std::uint64_t rows, bool is_whole) {
  extent_ = {rows};
  if (is_text()) {
    text_limit_ = text_limit(rows, is_whole);
    extent_.push_back(stored_width(cells.longest(), text_limit_));
  }
  const Storage storage = storage_of(cells, rows, is_whole);
  create(storage, cells, rows, is_whole);
  write(cells, 0, rows);
  // Deflate takes ten times as long as writing, so it is used only if it saves at least a quarter.
  if (storage == Storage::compressed && !is_text() &&
      4 * H5Dget_storage_size(dataset_.get()) > 3 * cells.bytes().size()) {
    dataset_ = {};
    hdf5::check(H5Ldelete(group_, info_.name.c_str(), H5P_DEFAULT), "replace a dataset");
    create(is_whole ? Storage::plain : Storage::chunked, cells, rows, is_whole);
    write(cells, 0, rows);
  }
  write_attributes();
}

void ColumnWriter::create(Storage storage, const ColumnCells& cells, std::uint64_t rows, bool is_whole) {
  storage_ = storage;
  const Hdf5Handle properties = hdf5::dataset_properties();
  const hid_t type = stored_type(element_);
  std::vector<hsize_t> max_extent = extent_;
  if (storage == Storage::fill_value && !is_text())
    hdf5::check(H5Pset_fill_value(properties.get(), type, cells.bytes().data()), "set the fill value");
  if (!is_whole) {
    max_extent.front() = H5S_UNLIMITED;
    if (is_text()) max_extent.back() = text_limit_;
  }
  if (storage == Storage::compressed || storage == Storage::chunked || !is_whole) {
    std::vector<hsize_t> chunk{is_whole ? rows : block_rows};
    if (is_text()) chunk.push_back(!is_whole && cells.longest() == 0 ? default_chunk_width : extent_.back());
    hdf5::check(H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()), "set the chunk size");
    if (storage != Storage::fill_value) set_filters(properties.get(), element_, storage == Storage::compressed);
  } else if (storage == Storage::plain && cells.bytes().size() > 0 &&
             (is_text() ? rows * extent_.back() : cells.bytes().size()) <= max_compact_bytes) {
    hdf5::check(H5Pset_layout(properties.get(), H5D_COMPACT), "choose a layout");
  }
  // Whole chunks are written, so that no cache holds them for later.
  const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  hdf5::check(H5Pset_chunk_cache(access.get(), 1, 0, 1), "set the size of a cache");
  const Hdf5Handle space(
      hdf5::checked(H5Screate_simple(static_cast<int>(extent_.size()), extent_.data(), max_extent.data()),
                    "make a dataspace"),
      H5Sclose);
  dataset_ = Hdf5Handle(hdf5::checked(H5Dcreate2(group_, info_.name.c_str(), type, space.get(), H5P_DEFAULT,
                                                 properties.get(), access.get()),
                                      "create a dataset"),
                        H5Dclose);
}

void ColumnWriter::append(const ColumnCells& cells, std::uint64_t rows) {
  const hsize_t first = extent_.front();
  extent_.front() += rows;
  if (is_text()) extent_.back() = std::max<hsize_t>(extent_.back(), stored_width(cells.longest(), text_limit_));
  if (rows == 0) return;
  // A constant number is set to its length at the end.
  if (storage_ == Storage::fill_value) return;
  hdf5::check(H5Dset_extent(dataset_.get(), extent_.data()), "extend a dataset");
  if (info_.constant && rows == block_rows)
    append_constant(cells, first);
  else
    write(cells, first, rows);
}

/// Chunks of a constant column of texts are all alike: they are compressed once.
void ColumnWriter::append_constant(const ColumnCells& cells, std::uint64_t first) {
  if (cells.longest() == 0) return;
  const std::array<hsize_t, 2> begin{};
  if (constant_chunk_.empty()) {
    hsize_t bytes = 0;
    hdf5::check(H5Dget_chunk_storage_size(dataset_.get(), begin.data(), &bytes), "read a chunk");
    constant_chunk_.resize(bytes);
    std::uint32_t filters = 0;
    hdf5::check(H5Dread_chunk(dataset_.get(), H5P_DEFAULT, begin.data(), &filters, constant_chunk_.data()),
                "read a chunk");
  }
  constexpr std::uint32_t all_filters = 0;
  const std::array<hsize_t, 2> place{first, 0};
  hdf5::check(H5Dwrite_chunk(dataset_.get(), H5P_DEFAULT, all_filters, place.data(), constant_chunk_.size(),
                             constant_chunk_.data()),
              "write a dataset");
}

void ColumnWriter::write(const ColumnCells& cells, std::uint64_t first, std::uint64_t rows) {
  // Unwritten data read as the fill value: a number, or empty texts.
  if (storage_ == Storage::fill_value || rows == 0 || (is_text() && cells.longest() == 0)) return;
  const std::array<hsize_t, 2> start{first, 0};
  std::array<hsize_t, 2> count{rows, 0};
  std::string characters;
  if (is_text()) {
    count[1] = stored_width(cells.longest(), text_limit_);
    characters = cells.characters(count[1]);
  }
  const Hdf5Handle memory(H5Screate_simple(is_text() ? 2 : 1, count.data(), nullptr), H5Sclose);
  const Hdf5Handle file(H5Dget_space(dataset_.get()), H5Sclose);
  hdf5::check(H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
              "select rows");
  hdf5::check(H5Dwrite(dataset_.get(), stored_type(element_), memory.get(), file.get(), H5P_DEFAULT,
                       is_text() ? characters.data() : cells.bytes().data()),
              "write a dataset");
}

void ColumnWriter::write_attributes() const {
  const std::pair<const char*, std::string_view> attributes[] = {
      {"units", info_.unit},    {"long_name", info_.long_name},
      {"source", info_.source}, {"role", word_of(column_role_words, info_.role)},
      {"absent", info_.absent}, {"timeline", word_of(systems::timeline_role_words, info_.timeline)}};
  for (const auto& [name, content] : attributes) {
    if (!content.empty()) hdf5::write_attribute(dataset_.get(), name, std::string(content));
  }
  write_origin();
  // By the CF conventions it has the type of the data.
  if (info_.non_negative && info_.type == ValueType::integer) {
    hdf5::write_attribute(dataset_.get(), "valid_min", std::int64_t{0});
  } else if (info_.non_negative) {
    hdf5::write_real_attribute(dataset_.get(), "valid_min", 0.0);
  }
  if (element_ == Element::flag)
    hdf5::write_flags(dataset_.get(), std::string(info_.flags.empty() ? boolean_flags : info_.flags));
  // With it, xarray joins the characters to str.
  if (is_text()) hdf5::write_attribute(dataset_.get(), "_Encoding", "utf-8");
}

void ColumnWriter::write_origin() const {
  const systems::ValueOrigin& origin = info_.origin;
  if (origin.kind == systems::ValueOrigin::Kind::none) return;
  hdf5::write_attribute(dataset_.get(), "origin", std::string(word_of(systems::value_origin_words, origin.kind)));
  if (origin.method.empty()) return;
  hdf5::write_attribute(dataset_.get(), "method", origin.method);
  hdf5::write_attribute(dataset_.get(), "seed", origin.seed);
  if (origin.block > 0) hdf5::write_attribute(dataset_.get(), "block", static_cast<std::int64_t>(origin.block));
}

Hdf5Handle ColumnWriter::close() {
  if (storage_ == Storage::fill_value && extent_.front() > block_rows)
    hdf5::check(H5Dset_extent(dataset_.get(), extent_.data()), "extend a dataset");
  return std::move(dataset_);
}

void ColumnWriter::add_to(DataDigest& digest) const {
  for (const std::string& text : {info_.name, info_.unit, info_.long_name, info_.source}) digest.add_text(text);
  digest.add_text(digest_.value().text());
}

}  // namespace pimsweep::results
