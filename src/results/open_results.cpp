#include "results/open_results.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/output_file.h"
#include "base/regular_file.h"
#include "results/column_reader.h"
#include "results/columns.h"
#include "results/hdf5_read.h"
#include "results/seal.h"
#include "results/version.h"

namespace pimsweep::results {

namespace {

constexpr std::array allowed_filters{H5Z_FILTER_DEFLATE, H5Z_FILTER_SHUFFLE, H5Z_FILTER_FLETCHER32};
/// Deflate compresses to no less than one byte in this many.
constexpr std::uint64_t max_compression = 1032;

/// Checks one group of columns of equal length.
class ColumnsCheck {
 public:
  /// `name` is the group's path in the file, for messages; `dimension` is the column that numbers the rows.
  ColumnsCheck(hid_t file, const std::string& path, const std::string& name, const std::string& dimension)
      : path_(path), name_(name), dimension_(dimension), group_(hdf5::open_group(file, path, name)) {}

  hid_t id() const { return group_.get(); }
  std::vector<std::string> groups() const { return hdf5::members(id(), H5O_TYPE_GROUP); }

  /// Checks every column: layout, length, and type by role.
  void check_all() {
    const std::vector<std::string> names = hdf5::members(id(), H5O_TYPE_DATASET);
    const ColumnReader dimension = open(dimension_);
    require(dimension, ValueType::integer);
    rows_ = dimension.rows();
    check_density(dimension);
    for (const std::string& name : names) {
      const ColumnReader column = open(name);
      if (column.rows() != rows_) fail(name, fmt::format("has {} rows instead of {}", column.rows(), *rows_));
      check_role(column);
    }
  }

  /// Checks that there is a column of this name and type.
  void require(const std::string& name, ValueType type) const { require(open(name), type); }

  /// Checks the enumeration of the points' outcomes.
  void require_status() const {
    const ColumnReader column = open("status");
    require(column, ValueType::integer);
    if (column.flags() != status_flags) fail("status", fmt::format("does not have the values {}", status_flags));
  }

 private:
  ColumnReader open(const std::string& name) const {
    if (H5Lexists(id(), name.c_str(), H5P_DEFAULT) <= 0) fail(name, "is missing or damaged");
    ColumnReader column(id(), path_, name);
    check_layout(column);
    return column;
  }

  void require(const ColumnReader& column, ValueType type) const {
    if (column.type() == type) return;
    fail(column.name(), fmt::format("is {} instead of {}", pimsweep::name_of(column.type()), pimsweep::name_of(type)));
  }

  [[noreturn]] void fail(const std::string& column, const std::string& why) const {
    throw InputError(fmt::format("'{}': column '{}/{}' {}", path_, name_, column, why));
  }

  void check_layout(const ColumnReader& column) const {
    const Hdf5Handle properties(H5Dget_create_plist(column.dataset()), H5Pclose);
    const H5D_layout_t layout = H5Pget_layout(properties.get());
    if (layout == H5D_CHUNKED) {
      std::array<hsize_t, 2> chunk{};
      const bool fits = H5Pget_chunk(properties.get(), static_cast<int>(chunk.size()), chunk.data()) > 0 &&
                        chunk[0] <= block_rows && chunk[1] <= max_text_bytes_of_short_column;
      if (!fits) fail(column.name(), "has chunks of a size that results files do not have");
    } else if ((layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) || H5Pget_external_count(properties.get()) > 0) {
      fail(column.name(), "has a layout that results files do not have");
    }
    for (int i = 0; i < H5Pget_nfilters(properties.get()); ++i) check_filter(column.name(), properties.get(), i);
  }

  void check_filter(const std::string& name, hid_t properties, int index) const {
    unsigned flags = 0;
    std::size_t count = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(properties, static_cast<unsigned>(index), &flags, &count, nullptr, 0, nullptr, nullptr);
    if (std::ranges::find(allowed_filters, filter) == allowed_filters.end())
      fail(name, "has a filter that results files do not have");
  }

  /// The numbers of the rows are always stored. A file that claims more rows than that takes would keep readers busy
  /// for as long as it likes.
  void check_density(const ColumnReader& dimension) const {
    const Hdf5Handle file(H5Iget_file_id(id()), H5Fclose);
    hsize_t file_bytes = 0;
    H5Fget_filesize(file.get(), &file_bytes);
    const std::uint64_t bytes = std::min<std::uint64_t>(H5Dget_storage_size(dimension.dataset()), file_bytes);
    if (*rows_ / max_compression > bytes) fail(dimension_, fmt::format("has {} rows in {} bytes", *rows_, bytes));
  }

  void check_role(const ColumnReader& column) const {
    const ColumnRole role = column.role();
    const bool is_number_or_text = column.type() == ValueType::real || column.type() == ValueType::text;
    if (role == ColumnRole::metric && !is_number_or_text)
      fail(column.name(), "is a metric, but neither a real nor a text");
    if (role == ColumnRole::reference && (column.type() != ValueType::real || !column.name().starts_with("reference_")))
      fail(column.name(), "is not a column of references: they are reals and called reference_...");
    if (role == ColumnRole::label && !column.name().starts_with("label_"))
      fail(column.name(), "is not a column of labels: they are called label_...");
  }

  const std::string& path_;
  std::string name_;
  std::string dimension_;
  Hdf5Handle group_;
  std::optional<std::uint64_t> rows_;
};

/// The tables of long texts come first: columns of texts open theirs.
void check_long_texts(hid_t file, const std::string& path, const ColumnsCheck& columns, const std::string& name) {
  const std::vector<std::string> groups = columns.groups();
  if (std::ranges::find(groups, long_texts_group) == groups.end()) return;
  const std::string folder = fmt::format("{}/{}", name, long_texts_group);
  const Hdf5Handle tables = hdf5::open_group(file, path, folder);
  for (const std::string& column : hdf5::members(tables.get(), H5O_TYPE_GROUP))
    ColumnsCheck(file, path, fmt::format("{}/{}", folder, column), "piece").check_all();
}

void check_table(hid_t file, const std::string& path, const std::string& name) {
  ColumnsCheck columns(file, path, name, "row");
  check_long_texts(file, path, columns, name);
  columns.check_all();
  columns.require("point", ValueType::integer);
}

void check_study(hid_t file, const std::string& path, const std::string& name) {
  ColumnsCheck columns(file, path, name, "point");
  check_long_texts(file, path, columns, name);
  columns.check_all();
  columns.require_status();
  columns.require("message", ValueType::text);
  for (const std::string& table : columns.groups()) {
    if (table != long_texts_group) check_table(file, path, fmt::format("{}/{}", name, table));
  }
}

void check_structure(hid_t file, const std::string& path) {
  // All links of the root are checked, those of dimensions too.
  for (const std::string& name : hdf5::members(file, H5O_TYPE_GROUP)) {
    if (name != "provenance") check_study(file, path, name);
  }
  if (H5Lexists(file, "provenance", H5P_DEFAULT) <= 0) return;
  const Hdf5Handle provenance = hdf5::open_group(file, path, "provenance");
  for (const std::string& study : hdf5::members(provenance.get(), H5O_TYPE_GROUP))
    ColumnsCheck(file, path, "provenance/" + study, "point").check_all();
}

/// Throws InputError unless the file is sealed, or may be without a seal.
void check_seal(const std::string& path) {
  switch (inspect_seal(path)) {
    case Seal::intact:
      return;
    case Seal::broken:
      throw InputError(fmt::format("'{}' is damaged: its bytes do not match its checksum", path));
    case Seal::none:
      break;
  }
  if (H5Fis_hdf5(path.c_str()) <= 0) {
    const std::string_view advice = path.ends_with(".toml") ? "; run an experiment first: pimsweep " : "";
    throw InputError(fmt::format("'{}' is not a results file of pimsweep: it is not an HDF5 file{}{}", path, advice,
                                 advice.empty() ? "" : path));
  }
  if (unsealed_files_accepted()) return;
  throw InputError(fmt::format(
      "'{}' has no checksum: another program has written to it, it was cut short, or it is not a results file of "
      "pimsweep. Run "
      "the experiment again with --force, or read the file unchecked with --unsealed: a damaged one may "
      "crash HDF5 or give wrong numbers",
      path));
}

/// Changes when another file replaces this one or the file is written to.
std::string state_of(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return {};
  return fmt::format("{} {} {} {}.{:09}", status.st_dev, status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

/// The files that are known to be whole, each with its state. The checks read the whole file, so that their success is
/// remembered until the file changes.
std::map<std::string, std::string>& checked_files() {
  static std::map<std::string, std::string> checked;
  return checked;
}

void check_format(hid_t file, const std::string& path) {
  if (hdf5::read_text_attribute(file, "format") != "pimsweep results")
    throw InputError(fmt::format("'{}' is not a results file of pimsweep: it lacks the attribute 'format'", path));
  const std::int64_t version = hdf5::read_integer_attribute(file, "format_version");
  if (version != results_format_version) {
    throw InputError(fmt::format(
        "'{}' is a results file of format version {}, written by pimsweep {}; this program reads version {}: use that "
        "pimsweep, or run the experiment again with --force",
        path, version, hdf5::read_text_attribute(file, "pimsweep_version"), results_format_version));
  }
}

}  // namespace

Hdf5Handle open_results(const std::string& path) {
  std::map<std::string, std::string>& checked = checked_files();
  prepare_hdf5();
  require_regular_file(path);
  note_input(path);
  if (::access(path.c_str(), R_OK) != 0) {
    const int error = errno;
    throw InputError(
        fmt::format("cannot read '{}': {}{}", path, std::generic_category().message(error), suggest_file(path)));
  }
  const std::string state = state_of(path);
  const bool is_checked = !state.empty() && checked[path] == state;
  if (!is_checked) check_seal(path);
  Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.valid()) throw InputError(fmt::format("'{}' is damaged: HDF5 cannot open it", path));
  if (is_checked) return file;
  check_format(file.get(), path);
  check_structure(file.get(), path);
  checked[path] = state;
  return file;
}

void remember_whole(const std::string& path) { checked_files()[path] = state_of(path); }

}  // namespace pimsweep::results
