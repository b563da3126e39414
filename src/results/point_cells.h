#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/value.h"

namespace pimsweep::results {

/// The named study, or all studies if the name is empty. Throws InputError for a name that the file lacks.
std::vector<std::string> chosen_studies(const std::string& results_file, const std::vector<std::string>& studies);

/// The same of a file, or of the journals of a run, whose studies are known: `ids`.
std::vector<std::string> chosen_studies(const std::string& file, std::vector<std::string> ids,
                                        const std::vector<std::string>& studies);

/// The axes of a study that differ between points.
std::vector<std::string> varying_axes(const std::string& results_file, const std::string& study);

/// A cell for people to read: quantities with unit and prefix, texts unchanged.
std::string readable(const Value& value, const std::string& unit);

/// The same with four significant digits; large numbers without a unit have a prefix too ("1.235 M"). Whole numbers
/// keep all digits.
std::string brief(const Value& value, const std::string& unit);

/// Cells of some columns of a study, read point by point. The study must have the columns.
class PointCells {
 public:
  PointCells(const std::string& results_file, const std::string& study, const std::vector<std::string>& names);
  ~PointCells();
  const std::string& unit(std::size_t column) const;
  /// The point's number and the columns that hold numbers.
  std::vector<std::string> numbers() const;
  /// The cells of a point: readable(), or plain numbers in SI units.
  std::vector<std::string> row(std::uint64_t point, bool si);
  /// The cells of a point as brief() writes them.
  std::vector<std::string> brief(std::uint64_t point);

 private:
  struct Columns;
  std::unique_ptr<Columns> columns_;
};

}  // namespace pimsweep::results
