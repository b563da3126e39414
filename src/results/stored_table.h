#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/value.h"

namespace pimsweep::results {

/// "points", then the detail tables of a study.
std::vector<std::string> table_names(const std::string& results_file, const std::string& study);

/// The points of a study, or one of its detail tables, read row by row in bounded memory. Identities are left out.
class StoredTable {
 public:
  /// `table` is one of table_names().
  StoredTable(const std::string& results_file, const std::string& study, const std::string& table = "points");
  ~StoredTable();

  const std::string& study() const;
  /// The system that the study evaluates.
  const std::string& system() const;
  std::uint64_t rows() const;
  const std::vector<std::string>& names() const;
  /// Indices of named columns. An expression over columns becomes a further column of the table. Throws InputError with
  /// every name that the table lacks, and the nearest that it has.
  std::vector<std::size_t> indices(const std::vector<std::string>& names);
  /// "1" for numbers without a dimension, and for texts.
  const std::string& unit(std::size_t column) const;
  /// Reason why a point with a result may not have this number; empty if it always has.
  const std::string& absent(std::size_t column) const;
  /// Text for the column `status`, whose numbers are given as words.
  ValueType type(std::size_t column) const;
  /// Rows are read fastest in ascending order.
  void get(std::uint64_t row, std::size_t column, Value& value);
  Value get(std::uint64_t row, std::size_t column);

 private:
  struct Data;
  std::unique_ptr<Data> data_;
};

}  // namespace pimsweep::results
