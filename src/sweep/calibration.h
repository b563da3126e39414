#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/placed_text.h"
#include "sweep/study_blocks.h"

namespace pimsweep::sweep {

/// A metric with a reference column, or an expression over such metrics and axes: its value with the predictions is
/// compared with its value with the reference columns.
struct Observation {
  /// The expression without blanks.
  std::string name;
  PlacedText expression;
  double weight = 1;
  /// Weight of a row, an expression over axes; not given for equal weights.
  PlacedText row_weight;
  /// The smallest spread of its deviations that counts.
  double floor = 0;
};

/// A constant of the hardware file that a calibration may fit, with its range in SI units.
struct FittedConstant {
  std::size_t axis = 0;
  double low = 0;
  double high = 0;
  /// Positions in the range are even on a logarithmic scale.
  bool logarithmic = false;
};

/// A column by which rows are grouped: an axis, or one that is carried from the table.
struct KeyColumn {
  bool is_axis = false;
  std::size_t index = 0;
};

/// `[study.calibration]`, resolved: constants of the hardware file are fitted to reference columns of the study
/// (docs/calibration.md).
struct Calibration {
  SourcePosition where;
  /// Name of the table of rows, as the study gives it; empty without one.
  std::string table;
  FitError error = FitError::log;
  FitLoss loss = FitLoss::huber;
  std::vector<Observation> observations;
  std::vector<FittedConstant> constants;
  /// Axes of the log-normal constants of the hardware files, which stand for the error of the model.
  std::vector<std::size_t> error_factors;
  std::vector<KeyColumn> group;
  std::optional<KeyColumn> kind;
  std::uint64_t folds = 0;
  std::optional<double> holdout;
  std::uint64_t splits = 1;
  std::uint64_t at_most = 0;
  std::uint64_t starts = 0;
  bool profile = true;
  std::int64_t seed = 0;
};

}  // namespace pimsweep::sweep
