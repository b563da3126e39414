#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sweep/calibration.h"
#include "sweep/study.h"

namespace pimsweep::calibrate {

/// The rows of a calibration: what was measured at each point of its study, and which rows belong together.
///
/// Groups of rows are never divided. Each split holds out some of them: constants are fitted to the others and judged
/// on those. Blocks hold out a few groups each, for the jackknife.
struct Rows {
  sweep::Study study;
  const sweep::Calibration& fit;
  /// One value for each row, for each observation; NaN where it was not measured.
  std::vector<std::vector<double>> references;
  /// Weight of each row, for each observation.
  std::vector<std::vector<double>> weights;
  std::vector<std::uint32_t> group;
  std::uint32_t groups = 0;
  /// Index of each row into `kinds`; all 0 without a class.
  std::vector<std::uint32_t> kind;
  std::vector<std::string> kinds;
  /// For each split and each block, true for the rows that it holds out.
  std::vector<std::vector<bool>> splits;
  std::vector<std::vector<bool>> blocks;

  std::size_t size() const { return group.size(); }
  /// Maximum number of constants that are fitted at once.
  std::size_t max_constants() const;
};

/// Reads the rows of a study with [study.calibration]. Throws InputError with all reasons for which nothing can be
/// fitted: references that do not vary or are not above zero where the error is logarithmic, fewer groups than
/// constants, folds without rows.
Rows read_rows(const sweep::Study& study);

}  // namespace pimsweep::calibrate
