#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/value.h"
#include "results/hdf5_handle.h"

namespace pimsweep::results {

/// A column of a results file, held in memory a block of rows at a time. Rows may be asked for in any order; in rising
/// order each block is read once. Whatever cannot be read is an InputError that names file, column and row.
class ColumnReader {
 public:
  /// Opens the dataset `name` of `group`; `path` names the file in messages.
  ColumnReader(hid_t group, const std::string& path, const std::string& name);
  ColumnReader(ColumnReader&&) noexcept = default;
  ColumnReader& operator=(ColumnReader&&) = delete;
  ~ColumnReader() { forget_texts(); }

  const std::string& name() const { return name_; }
  std::uint64_t rows() const { return rows_; }
  ValueType type() const { return type_; }
  /// False where every row is the column's fill value, which takes no room in the file.
  bool is_stored() const;
  std::string unit() const;
  std::string role() const;
  /// Whether this is a hardware constant with the value of the point's hardware file: it varies with the axis
  /// `hardware` alone.
  bool follows_hardware() const;

  /// A number of a column of integers or booleans.
  std::int64_t integer(std::uint64_t row) { return integers_[place_of(row)]; }
  double real(std::uint64_t row) { return reals_[place_of(row)]; }
  /// Valid until a row of another block is asked for.
  std::string_view text(std::uint64_t row) {
    const char* text = texts_[place_of(row)];
    return text == nullptr ? std::string_view() : text;
  }
  /// The cell with the column's own type.
  void get(std::uint64_t row, Value& value);

 private:
  std::size_t place_of(std::uint64_t row) {
    // Also true of a row before the block: the difference wraps around.
    if (row - first_ >= count_) load(row);
    return static_cast<std::size_t>(row - first_);
  }
  void load(std::uint64_t row);
  void forget_texts();
  [[noreturn]] void fail(const std::string& why) const;

  std::string path_;
  std::string name_;
  Hdf5Handle dataset_;
  ValueType type_ = ValueType::real;
  std::uint64_t rows_ = 0;
  /// The block in memory.
  std::uint64_t first_ = 0;
  std::uint64_t count_ = 0;
  std::vector<std::int64_t> integers_;
  std::vector<double> reals_;
  /// Allocated by HDF5.
  std::vector<char*> texts_;
};

}  // namespace pimsweep::results
