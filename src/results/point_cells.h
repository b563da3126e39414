#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/value.h"

namespace pimsweep::results {

/// The studies that a question is about: the named one, or all. Throws InputError for a name that the file lacks.
std::vector<std::string> chosen_studies(const std::string& results_file, const std::string& study);

/// The axes of a study that are not the same in all points.
std::vector<std::string> varying_axes(const std::string& results_file, const std::string& study);

/// A cell as people read it: quantities with their unit, texts as they are.
std::string readable(const Value& value, const std::string& unit);

/// Columns of a study by name, which it must have, read point by point.
class PointCells {
 public:
  PointCells(const std::string& results_file, const std::string& study, const std::vector<std::string>& names);
  ~PointCells();
  const std::string& unit(std::size_t column) const;
  /// The cells of a point as people read them, or as plain numbers in SI units.
  std::vector<std::string> row(std::uint64_t point, bool si);

 private:
  struct Columns;
  std::unique_ptr<Columns> columns_;
};

}  // namespace pimsweep::results
