#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "sweep/study_blocks.h"

namespace pimsweep::sweep {

/// A metric that a calibration compares with a reference column of its study.
struct Observation {
  std::size_t metric = 0;
  /// The column, as an index into Study::carried().
  std::size_t reference = 0;
  double weight = 1;
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
  std::vector<Observation> observations;
  std::vector<FittedConstant> constants;
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
