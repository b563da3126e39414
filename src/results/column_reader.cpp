#include "results/column_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "results/hdf5_read.h"

namespace pimsweep::results {

namespace {

/// Size of one chunk of numbers in a results file.
constexpr std::size_t cache_bytes = 1 << 18;
/// The chunks of a text column are as long as this, or shorter.
constexpr std::uint64_t text_block_rows = block_rows;
constexpr std::size_t max_text_bytes = max_text_bytes_of_short_column;

bool is_character(hid_t type) {
  return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && H5Tget_size(type) == 1;
}

}  // namespace

struct ColumnReader::LongTextReader {
  ColumnReader owner;
  ColumnReader text;
};

ColumnReader::ColumnReader(hid_t group, const std::string& path, const std::string& name, Part part)
    : path_(path), name_(name) {
  const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk_cache(access.get(), 1, cache_bytes, 1.0);
  dataset_ = Hdf5Handle(H5Dopen2(group, name.c_str(), access.get()), H5Dclose);
  if (!dataset_.valid()) fail("is missing or damaged");
  find_type();
  if (type_ == ValueType::text && part == Part::column) open_long_texts(group);
}

ColumnReader::ColumnReader(ColumnReader&&) noexcept = default;
ColumnReader::~ColumnReader() = default;

void ColumnReader::find_type() {
  const Hdf5Handle space(H5Dget_space(dataset_.get()), H5Sclose);
  const Hdf5Handle type(H5Dget_type(dataset_.get()), H5Tclose);
  const bool is_text = is_character(type.get());
  std::array<hsize_t, 2> extent{};
  if (H5Sget_simple_extent_ndims(space.get()) != (is_text ? 2 : 1)) fail("has the wrong number of dimensions");
  H5Sget_simple_extent_dims(space.get(), extent.data(), nullptr);
  rows_ = extent[0];
  if (is_text) {
    type_ = ValueType::text;
    width_ = extent[1];
    if (width_ > max_text_bytes) fail(fmt::format("has texts of {} bytes, allowed are {}", width_, max_text_bytes));
    block_rows_ = text_block_rows;
  } else if (H5Tget_class(type.get()) == H5T_INTEGER) {
    type_ = ValueType::integer;
    if (H5Tget_size(type.get()) > 1) return;
    flags_ = hdf5::read_text_attribute(dataset_.get(), "flag_meanings");
    if (flags_ == boolean_flags) type_ = ValueType::boolean;
  } else if (H5Tget_class(type.get()) != H5T_FLOAT) {
    fail("is of a type that results files do not have");
  }
}

void ColumnReader::open_long_texts(hid_t group) {
  const std::string folder(long_texts_group);
  const std::string table = folder + "/" + name_;
  if (H5Lexists(group, folder.c_str(), H5P_DEFAULT) <= 0 || H5Lexists(group, table.c_str(), H5P_DEFAULT) <= 0) return;
  const Hdf5Handle pieces = hdf5::open_group(group, path_, table);
  long_texts_ = std::make_unique<LongTextReader>(
      LongTextReader{ColumnReader(pieces.get(), path_, "owner", Part::pieces_of_column),
                     ColumnReader(pieces.get(), path_, "text", Part::pieces_of_column)});
  if (long_texts_->owner.type() != ValueType::integer || long_texts_->text.type() != ValueType::text ||
      long_texts_->owner.rows() != long_texts_->text.rows()) {
    fail("has a damaged table of long texts");
  }
}

bool ColumnReader::is_stored() const { return H5Dget_storage_size(dataset_.get()) > 0; }
std::string ColumnReader::unit() const { return hdf5::read_text_attribute(dataset_.get(), "units"); }
systems::ValueOrigin::Kind ColumnReader::origin() const {
  return value_of(systems::value_origin_words, hdf5::read_text_attribute(dataset_.get(), "origin"))
      .value_or(systems::ValueOrigin::Kind::none);
}
bool ColumnReader::follows_hardware() const {
  return name_.starts_with("hardware.") && origin() == systems::ValueOrigin::Kind::hardware;
}
bool ColumnReader::is_drawn() const {
  return origin() == systems::ValueOrigin::Kind::sampled_range ||
         origin() == systems::ValueOrigin::Kind::sampled_values;
}

ColumnRole ColumnReader::role() const {
  const std::string word = hdf5::read_text_attribute(dataset_.get(), "role");
  const auto role = value_of(column_role_words, word);
  if (!role) fail(fmt::format("has the role '{}', which results files do not have", word));
  return *role;
}

systems::TimelineRole ColumnReader::timeline() const {
  return value_of(systems::timeline_role_words, hdf5::read_text_attribute(dataset_.get(), "timeline"))
      .value_or(systems::TimelineRole::none);
}

void ColumnReader::get(std::uint64_t row, Value& value) {
  switch (type_) {
    case ValueType::integer:
      value = integer(row);
      break;
    case ValueType::real:
      value = real(row);
      break;
    case ValueType::boolean:
      value = integer(row) != 0;
      break;
    case ValueType::text:
      if (auto* old = std::get_if<std::string>(&value))
        old->assign(text(row));
      else
        value = std::string(text(row));
      break;
  }
}

void ColumnReader::load(std::uint64_t row) {
  if (row >= rows_) fail(fmt::format("has {} rows, but row {} is needed", rows_, row));
  first_ = row / block_rows_ * block_rows_;
  // No row counts as loaded until all are read.
  count_ = 0;
  const std::uint64_t count = std::min(block_rows_, rows_ - first_);
  switch (type_) {
    case ValueType::integer:
    case ValueType::boolean:
      load_integers(count);
      break;
    case ValueType::real:
      reals_.resize(count);
      read_cells(H5T_NATIVE_DOUBLE, count, reals_.data());
      break;
    case ValueType::text: {
      characters_.resize(count * width_);
      const Hdf5Handle type(H5Dget_type(dataset_.get()), H5Tclose);
      read_cells(type.get(), count, characters_.data());
      load_long_texts(count);
      break;
    }
  }
  count_ = count;
}

void ColumnReader::load_integers(std::uint64_t count) {
  if (flags_.empty()) {
    integers_.resize(count);
    read_cells(H5T_NATIVE_INT64, count, integers_.data());
  } else {
    // HDF5 would convert them element by element.
    small_integers_.resize(count);
    read_cells(H5T_NATIVE_INT8, count, small_integers_.data());
    integers_.assign(small_integers_.begin(), small_integers_.end());
  }
}

void ColumnReader::read_cells(hid_t type, std::uint64_t rows, void* cells) {
  // The second dimension is that of texts.
  const std::array<hsize_t, 2> start{first_, 0};
  const std::array<hsize_t, 2> count{rows, width_};
  const Hdf5Handle memory(H5Screate_simple(type_ == ValueType::text ? 2 : 1, count.data(), nullptr), H5Sclose);
  const Hdf5Handle file(H5Dget_space(dataset_.get()), H5Sclose);
  if (H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr) < 0 ||
      H5Dread(dataset_.get(), type, memory.get(), file.get(), H5P_DEFAULT, cells) < 0)
    fail(fmt::format("cannot be read from row {} on (is the file damaged?)", first_));
}

void ColumnReader::load_long_texts(std::uint64_t rows) {
  whole_texts_.clear();
  if (!long_texts_) return;
  ColumnReader& owner = long_texts_->owner;
  for (std::uint64_t piece = lower_bound(owner, static_cast<std::int64_t>(first_)); piece < owner.rows(); ++piece) {
    const auto row = static_cast<std::uint64_t>(owner.integer(piece));
    if (row >= first_ + rows) break;
    whole_texts_[row] += long_texts_->text.text(piece);
  }
}

void ColumnReader::fail(const std::string& why) const {
  throw InputError(fmt::format("'{}': column '{}' {}", path_, name_, why));
}

std::uint64_t lower_bound(ColumnReader& ascending, std::int64_t value) {
  std::uint64_t begin = 0;
  std::uint64_t end = ascending.rows();
  while (begin < end) {
    const std::uint64_t middle = begin + (end - begin) / 2;
    if (ascending.integer(middle) < value)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

}  // namespace pimsweep::results
