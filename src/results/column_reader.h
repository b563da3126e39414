#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "results/columns.h"
#include "results/hdf5_handle.h"
#include "systems/system.h"

namespace pimsweep::results {

/// A column of a results file, held in memory a block of rows at a time. Rows may be read in any order; in ascending
/// order each block is read once.
///
///     ColumnReader time(group, path, "time");
///     for (std::uint64_t row = 0; row < time.rows(); ++row) sum += time.real(row);
///
/// The caller chooses integer(), real() or text() according to type(); get() works for every type. Columns that consist
/// of the fill value read nothing from the file (is_stored()), and texts that were too long for their column are read
/// from a second table. A failure to read is an InputError that names file, column and row.
class ColumnReader {
 public:
  /// Opens the dataset `name` of `group`; `path` names the file in messages.
  ColumnReader(hid_t group, const std::string& path, const std::string& name)
      : ColumnReader(group, path, name, Part::column) {}
  ColumnReader(ColumnReader&&) noexcept;
  ColumnReader& operator=(ColumnReader&&) = delete;
  ~ColumnReader();

  const std::string& name() const { return name_; }
  hid_t dataset() const { return dataset_.get(); }
  std::uint64_t rows() const { return rows_; }
  /// An enumeration holds integers.
  ValueType type() const { return type_; }
  /// Names of the values 0, 1, ... of a boolean or an enumeration, separated by blanks; otherwise empty.
  const std::string& flags() const { return flags_; }
  /// False if every row is the fill value, which takes no space in the file: a constant number, or only empty texts.
  bool is_stored() const;
  std::string unit() const;
  /// Throws InputError if the column has a role that results files do not have.
  ColumnRole role() const;
  /// Meaning of the column of a detail table on a timeline.
  systems::TimelineRole timeline() const;
  /// True if this is a hardware constant with the value of the point's hardware file: it varies with the axis
  /// `hardware` alone.
  bool follows_hardware() const;
  /// True if the values are those of sampled machines, which the axis `draw` numbers.
  bool is_drawn() const;

  /// Cell of a column of integers or booleans.
  std::int64_t integer(std::uint64_t row) { return integers_[place_of(row)]; }
  double real(std::uint64_t row) { return reals_[place_of(row)]; }
  /// Valid until a row of another block is read.
  std::string_view text(std::uint64_t row) {
    const std::size_t place = place_of(row);
    if (const auto whole = whole_texts_.find(row); whole != whole_texts_.end()) return whole->second;
    const char* cell = characters_.data() + place * width_;
    return {cell, ::strnlen(cell, width_)};
  }
  /// The cell with the column's own type.
  void get(std::uint64_t row, Value& value);

 private:
  systems::ValueOrigin::Kind origin() const;

  std::size_t place_of(std::uint64_t row) {
    // Also true for a row before the block, where the difference wraps around.
    if (row - first_ >= count_) load(row);
    return static_cast<std::size_t>(row - first_);
  }
  /// The table of the column's long texts.
  struct LongTextReader;

  enum class Part : std::uint8_t { column, pieces_of_column };
  ColumnReader(hid_t group, const std::string& path, const std::string& name, Part part);
  void find_type();
  void open_long_texts(hid_t group);
  void load(std::uint64_t row);
  void load_integers(std::uint64_t count);
  void load_long_texts(std::uint64_t rows);
  void read_cells(hid_t type, std::uint64_t rows, void* cells);
  [[noreturn]] void fail(const std::string& why) const;

  std::string path_;
  std::string name_;
  Hdf5Handle dataset_;
  ValueType type_ = ValueType::real;
  std::string flags_;
  std::uint64_t rows_ = 0;
  std::uint64_t block_rows_ = 4096;
  /// The block in memory.
  std::uint64_t first_ = 0;
  std::uint64_t count_ = 0;
  std::vector<std::int64_t> integers_;
  std::vector<std::int8_t> small_integers_;
  std::vector<double> reals_;
  /// Concatenated texts of the block, each padded with NUL to `width_`.
  std::string characters_;
  std::size_t width_ = 0;
  std::unique_ptr<LongTextReader> long_texts_;
  /// The long texts of the block by row.
  std::map<std::uint64_t, std::string> whole_texts_;
};

/// The first row of an ascending column of integers whose number is at least `value`, or the number of rows.
std::uint64_t lower_bound(ColumnReader& ascending, std::int64_t value);

}  // namespace pimsweep::results
