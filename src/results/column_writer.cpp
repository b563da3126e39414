#include "results/column_writer.h"

#include <hdf5_hl.h>

#include <algorithm>

#include "results/compression.h"
#include "results/hdf5_write.h"
#include "results/long_texts.h"

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
  Hdf5Handle character(H5Tcopy(H5T_C_S1), H5Tclose);
  hdf5::check(H5Tset_strpad(character.get(), H5T_STR_NULLPAD), "make a character type");
  return character;
}

/// Zero for the empty text, which is the most frequent one.
Hash128 text_hash(std::string_view text) { return text.empty() ? Hash128{} : hash128(text); }

/// A text ends at its first NUL, for NUL pads it in the file.
std::string_view without_nul(std::string_view text) { return text.substr(0, text.find('\0')); }

/// The room for texts of up to `longest` bytes, in steps that keep the number of different dimensions small.
std::size_t stored_width(std::size_t longest, std::size_t limit) {
  constexpr std::size_t step = 8;
  return std::clamp((longest + step - 1) / step * step, step, limit);
}

/// For a column whose first texts are all empty.
constexpr std::size_t default_chunk_width = 64;
/// Room for one chunk of numbers.
constexpr std::size_t write_cache_bytes = ColumnWriter::chunk_rows * sizeof(double);

}  // namespace

ColumnWriter::ColumnWriter(hid_t group, ColumnInfo info, const ColumnWriter* scale, TextDimensions& text_dimensions)
    : group_(group), info_(std::move(info)), scale_(scale), text_dimensions_(text_dimensions) {
  if (!constant()) return;
  if (is_text())
    put(text_hash(std::get<std::string>(*info_.constant)));
  else
    push(*info_.constant);
}

ColumnWriter::~ColumnWriter() = default;

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
  text = without_nul(text);
  put(text_hash(text));
  texts_.push(text);
}

void ColumnWriter::set_filters(hid_t properties) const {
  const Hdf5Handle type = file_type(info_.type);
  // Deflate has a checksum of its own.
  if (is_text()) return hdf5::set_compression(properties, type.get());
  if (constant()) return hdf5::check(H5Pset_fill_value(properties, type.get(), cells_.data()), "set the fill value");
  if (!info_.random && hdf5::worth_compressing(cells_, type.get())) hdf5::set_compression(properties, type.get());
  hdf5::check(H5Pset_fletcher32(properties), "set checksums");
}

void ColumnWriter::create(std::size_t first_rows) {
  const bool is_short = first_rows < chunk_rows;
  std::vector<hsize_t> chunk{std::max<std::size_t>(first_rows, 1)};
  std::vector<hsize_t> max_extent{H5S_UNLIMITED};
  extent_ = {0};
  if (is_text()) {
    max_text_bytes_ = is_short ? max_text_bytes_of_short_column : max_text_bytes_of_long_column;
    // Later texts may be longer: they begin further columns of chunks.
    chunk_width_ = texts_.longest() == 0 ? default_chunk_width : stored_width(texts_.longest(), max_text_bytes_);
    chunk.push_back(chunk_width_);
    max_extent.push_back(max_text_bytes_);
    extent_.push_back(stored_width(0, max_text_bytes_));
  }
  const int rank = static_cast<int>(extent_.size());
  const Hdf5Handle properties = hdf5::dataset_properties();
  hdf5::check(H5Pset_chunk(properties.get(), rank, chunk.data()), "set the chunk size");
  set_filters(properties.get());
  // Each chunk is written whole and once, so the cache needs no second one.
  const Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  hdf5::check(H5Pset_chunk_cache(access.get(), 1, write_cache_bytes, 1.0), "set the cache");
  const Hdf5Handle type = file_type(info_.type);
  const Hdf5Handle space(hdf5::checked(H5Screate_simple(rank, extent_.data(), max_extent.data()), "make a dataspace"),
                         H5Sclose);
  dataset_ = Hdf5Handle(hdf5::checked(H5Dcreate2(group_, info_.name.c_str(), type.get(), space.get(), H5P_DEFAULT,
                                                 properties.get(), access.get()),
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

void ColumnWriter::write_block(std::size_t rows) {
  if (constant()) add_constant_block(rows);
  if (!dataset_.valid()) create(rows);
  if (rows == 0) return;
  extent_.front() += rows;
  if (is_text()) extent_.back() = std::max<hsize_t>(extent_.back(), stored_width(texts_.longest(), max_text_bytes_));
  hdf5::check(H5Dset_extent(dataset_.get(), extent_.data()), "extend a dataset");
  if (is_text())
    write_texts();
  else if (!constant())
    write_numbers(rows);
}

void ColumnWriter::add_constant_block(std::size_t rows) {
  std::string block;
  for (std::size_t row = 0; row < rows; ++row) block += cells_;
  digest_.add(block.data(), block.size());
  if (!is_text()) return;
  const std::string_view text = without_nul(std::get<std::string>(*info_.constant));
  for (std::size_t row = 0; row < rows; ++row) texts_.push(text);
}

void ColumnWriter::write_numbers(std::size_t rows) {
  write_cells(file_type(info_.type).get(), {rows}, cells_.data());
  digest_.add(cells_.data(), cells_.size());
  cells_.clear();
}

void ColumnWriter::write_texts() {
  if (!constant()) {
    digest_.add(cells_.data(), cells_.size());
    cells_.clear();
  }
  // A chunk that is not there reads as empty texts.
  if (texts_.longest() > 0) {
    const std::size_t whole_chunks = (texts_.longest() + chunk_width_ - 1) / chunk_width_ * chunk_width_;
    const std::size_t width = std::min<std::size_t>(whole_chunks, extent_.back());
    write_cells(file_type(ValueType::text).get(), {texts_.rows(), width}, texts_.characters(width).data());
  }
  for (std::size_t row = 0; texts_.longest() > max_text_bytes_ && row < texts_.rows(); ++row) {
    if (texts_.text(row).size() <= max_text_bytes_) continue;
    if (!long_texts_) long_texts_ = std::make_unique<LongTexts>(group_, info_.name, text_dimensions_);
    long_texts_->push(extent_.front() - texts_.rows() + row, texts_.text(row));
  }
  texts_.clear();
}

void ColumnWriter::write_cells(hid_t type, const std::vector<hsize_t>& count, const char* cells) {
  std::vector<hsize_t> start(count.size(), 0);
  start.front() = extent_.front() - count.front();
  const Hdf5Handle memory(H5Screate_simple(static_cast<int>(count.size()), count.data(), nullptr), H5Sclose);
  const Hdf5Handle file(H5Dget_space(dataset_.get()), H5Sclose);
  hdf5::check(H5Sselect_hyperslab(file.get(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr),
              "select rows");
  hdf5::check(H5Dwrite(dataset_.get(), type, memory.get(), file.get(), H5P_DEFAULT, cells),
              "write a dataset (is the disk full?)");
}

void ColumnWriter::close() {
  if (scale_ != nullptr)
    hdf5::check(H5DSattach_scale(dataset_.get(), scale_->dataset_.get(), 0), "attach a dimension scale");
  if (is_text())
    hdf5::check(H5DSattach_scale(dataset_.get(), text_dimensions_.of(extent_.back()), 1), "attach a dimension scale");
  if (long_texts_) long_texts_->close();
}

void ColumnWriter::add_to(DataDigest& digest) const {
  for (const std::string& text : {info_.name, info_.unit, info_.long_name, info_.source}) digest.add_text(text);
  digest.add_text(digest_.value().text());
}

}  // namespace pimsweep::results
