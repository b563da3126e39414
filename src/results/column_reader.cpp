#include "results/column_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "results/hdf5_read.h"

namespace pimsweep::results {

namespace {

constexpr std::uint64_t block_rows = 4096;
/// Room for one chunk as results files have them.
constexpr std::size_t cache_bytes = 1 << 18;

}  // namespace

ColumnReader::ColumnReader(hid_t group, const std::string& path, const std::string& name) : path_(path), name_(name) {
  const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk_cache(access.get(), 1, cache_bytes, 1.0);
  dataset_ = Hdf5Handle(H5Dopen2(group, name.c_str(), access.get()), H5Dclose);
  if (!dataset_.valid()) fail("is missing or damaged");
  const Hdf5Handle space(H5Dget_space(dataset_.get()), H5Sclose);
  if (H5Sget_simple_extent_ndims(space.get()) != 1) fail("has not one dimension");
  rows_ = static_cast<std::uint64_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space.get())));
  const Hdf5Handle type(H5Dget_type(dataset_.get()), H5Tclose);
  switch (H5Tget_class(type.get())) {
    case H5T_INTEGER:
      type_ = H5Tget_size(type.get()) == 1 ? ValueType::boolean : ValueType::integer;
      break;
    case H5T_FLOAT:
      type_ = ValueType::real;
      break;
    case H5T_STRING:
      if (H5Tis_variable_str(type.get()) > 0) {
        type_ = ValueType::text;
        break;
      }
      [[fallthrough]];
    default:
      fail("is of a type that results files do not have");
  }
}

bool ColumnReader::is_stored() const { return H5Dget_storage_size(dataset_.get()) > 0; }
std::string ColumnReader::unit() const { return hdf5::read_text_attribute(dataset_.get(), "units"); }
bool ColumnReader::follows_hardware() const {
  return name_.starts_with("hardware.") && hdf5::read_text_attribute(dataset_.get(), "source").starts_with("hardware ");
}
std::string ColumnReader::role() const { return hdf5::read_text_attribute(dataset_.get(), "role"); }

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
  forget_texts();
  count_ = 0;
  first_ = row / block_rows * block_rows;
  const hsize_t start = first_;
  const hsize_t count = std::min(block_rows, rows_ - first_);
  const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Hdf5Handle space(H5Dget_space(dataset_.get()), H5Sclose);
  H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &count, nullptr);
  const auto read = [&](hid_t type, void* data) {
    if (H5Dread(dataset_.get(), type, memory.get(), space.get(), H5P_DEFAULT, data) < 0)
      fail(fmt::format("cannot be read from row {} on (is the file damaged?)", first_));
  };
  switch (type_) {
    case ValueType::integer:
    case ValueType::boolean:
      integers_.resize(count);
      read(H5T_NATIVE_INT64, integers_.data());
      break;
    case ValueType::real:
      reals_.resize(count);
      read(H5T_NATIVE_DOUBLE, reals_.data());
      break;
    case ValueType::text: {
      texts_.assign(count, nullptr);
      const Hdf5Handle type(H5Dget_type(dataset_.get()), H5Tclose);
      read(type.get(), texts_.data());
      break;
    }
  }
  count_ = count;
}

void ColumnReader::forget_texts() {
  for (char* text : texts_) H5free_memory(text);
  texts_.clear();
}

void ColumnReader::fail(const std::string& why) const {
  throw InputError(fmt::format("'{}': column '{}' {}", path_, name_, why));
}

}  // namespace pimsweep::results
