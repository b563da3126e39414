#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "results/point_column.h"

namespace pimsweep::results {

/// The columns of one study of a results file by name, each read block by block.
class StudyColumns {
 public:
  StudyColumns(const std::string& results_file, const std::string& study);

  const std::string& study() const { return study_; }
  /// The system that the study evaluates.
  std::string system() const;
  std::uint64_t rows() const { return status_.rows(); }
  /// True if a point has a result.
  bool is_ok(std::uint64_t row) { return status_.integer(row) == 0; }
  /// True if a point is on the machine of the hardware file, and not on a sampled one.
  bool is_on_file(std::uint64_t row) { return !draw_ || draw_->integer(row) == 0; }
  /// Axes that differ between points, without the constants that are drawn: `draw` stands for these.
  /// Reads all axes.
  std::vector<std::string> varying_axes() const;

  /// Add a problem, with the nearest valid name, if the study has no such numeric metric or no such axis. A metric may
  /// also be an expression over columns.
  void check_metric(const std::string& name, ProblemList& problems) const;
  void check_axis(const std::string& name, ProblemList& problems) const;
  ColumnReader column(const std::string& name) const;
  /// The column of that name, or the numbers of the expression. Throws InputError with its problems.
  PointColumn column_or_expression(const std::string& name) const;

 private:
  /// All columns but the identities, as the axes of a schema: the names of expressions.
  systems::Schema names() const;

  bool is_varying(const std::string& axis) const;

  std::string path_;
  std::string study_;
  Hdf5Handle file_;
  Hdf5Handle group_;
  ColumnReader status_;
  std::optional<ColumnReader> draw_;
  std::vector<std::string> metrics_;
  std::vector<std::string> axes_;
};

}  // namespace pimsweep::results
