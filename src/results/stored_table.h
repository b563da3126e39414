#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/value.h"
#include "results/column_reader.h"

namespace pimsweep::results {

/// "points", then the detail tables of a study.
std::vector<std::string> table_names(const std::string& results_file, const std::string& study);

/// The points of a study, or one of its detail tables, read row by row in bounded memory. Identities are left out.
class StoredTable {
 public:
  /// `table` is one of table_names().
  StoredTable(const std::string& results_file, const std::string& study, const std::string& table);

  std::size_t columns() const { return columns_.size(); }
  std::uint64_t rows() const { return columns_.empty() ? 0 : columns_.front().rows(); }
  const std::string& name(std::size_t column) const { return columns_[column].name(); }
  /// "1" for numbers without a dimension, and for texts.
  const std::string& unit(std::size_t column) const { return units_[column]; }
  /// Rows are read fastest in ascending order.
  void get(std::uint64_t row, std::size_t column, Value& value);

 private:
  Hdf5Handle file_;
  std::vector<ColumnReader> columns_;
  std::vector<std::string> units_;
  /// Index of the column `status`, whose numbers are written as words; none in a detail table.
  std::size_t status_ = static_cast<std::size_t>(-1);
};

}  // namespace pimsweep::results
