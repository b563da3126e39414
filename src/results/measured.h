#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/csv.h"

namespace pimsweep::results {

/// Measured values of a CSV file: columns `value` and `unit`, and others that tell its rows apart.
class Measured {
 public:
  /// Throws InputError if the file cannot be read or lacks one of the two columns.
  explicit Measured(const std::string& path);

  /// The value, in SI units, of the rows that have these texts in these columns. Throws InputError (no position) for
  /// an unknown column, and if there is no such row, or several with different values.
  double value(const std::map<std::string, std::string>& row) const;

 private:
  std::size_t column(const std::string& name) const;

  std::string path_;
  CsvTable table_;
};

}  // namespace pimsweep::results
